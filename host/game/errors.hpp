// The failures a caller can tell apart; each maps to one exit status of the program.
#pragma once

#include <stdexcept>

namespace grundy {

/// Input that cannot be meant: a malformed rule, a size of zero. Exit status 2.
struct UsageError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A file cannot be read, written, or trusted to be what it should be. Exit status 3.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The machine or GPU cannot do the work: not enough memory, no such device. Exit status 4.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace grundy
