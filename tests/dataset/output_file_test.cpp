#include "grundy/dataset/output_file.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"

#include "dataset/table_files.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::content_of;
using support::write_content;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(OutputFiles, HaveTheirNameOnlyWhenComplete) {
  const support::TemporaryFolder folder;
  {
    OutputFile file(folder.file("a.csv"), Existing::kRefuse);
    file.write("1,2\n");
    EXPECT_THAT(folder.names(), ElementsAre("a.csv.partial"));
    file.write(std::string(100'000, 'x'));
    file.publish();
  }
  EXPECT_THAT(folder.names(), ElementsAre("a.csv"));
  EXPECT_EQ(content_of(folder.file("a.csv")), "1,2\n" + std::string(100'000, 'x'));
}

TEST(OutputFiles, LeaveNothingOfWhatWasNotPublished) {
  const support::TemporaryFolder folder;
  {
    OutputFile file(folder.file("a.csv"), Existing::kRefuse);
    file.write("1,2\n");
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(OutputFiles, ReplaceOthersOnlyWhenTold) {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("a.csv");
  write_content(path, "old");
  EXPECT_TRUE(support::throws_naming<IoError>("a.csv exists",
                                              [&] { OutputFile file(path, Existing::kRefuse); }));
  {
    OutputFile file(path, Existing::kReplace);
    file.write("half");
    EXPECT_EQ(content_of(path), "old");
  }
  EXPECT_EQ(content_of(path), "old");
  {
    OutputFile file(path, Existing::kReplace);
    file.write("new");
    file.publish();
  }
  EXPECT_EQ(content_of(path), "new");
}

}  // namespace
}  // namespace grundy
