// What an exception is expected to say.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace grundy::support {

/// Whether `call` throws an Error whose message holds `part` and stays within a screen line or so.
template <typename Error, typename Call>
testing::AssertionResult throws_naming(std::string_view part, Call call) {
  try {
    call();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find(part) == std::string::npos)
      return testing::AssertionFailure() << "no \"" << part << "\" in the message: " << message;
    if (message.size() > 400)
      return testing::AssertionFailure() << "a message of " << message.size() << " characters";
    return testing::AssertionSuccess();
  } catch (const std::exception& error) {
    return testing::AssertionFailure() << "another kind of exception: " << error.what();
  }
  return testing::AssertionFailure() << "no exception";
}

}  // namespace grundy::support
