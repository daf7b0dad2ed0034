// What this program was built from, with and for.
#pragma once

#include <string>
#include <vector>

namespace grundy {

struct BuildFact {
  std::string name;
  std::string value;
};

/// The commit, how it was compiled, and the versions of the libraries: of the headers, and where
/// the library tells, its own.
std::vector<BuildFact> build_facts();

/// "g++ 12.2.0"
std::string compiler_name();

}  // namespace grundy
