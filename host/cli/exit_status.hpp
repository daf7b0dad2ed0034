// What the program's exit status says. Exceptions have theirs too (main.cpp).
#pragma once

namespace grundy::cli {

inline constexpr int kDone = 0;
inline constexpr int kCheckFailed = 1;
inline constexpr int kWrongUsage = 2;
inline constexpr int kInputOutput = 3;
inline constexpr int kDevice = 4;

struct ExitStatus {
  int number;
  const char* meaning;
};

inline constexpr ExitStatus kExitStatuses[] = {{kDone, "done and true"},
                                               {kCheckFailed, "a check failed"},
                                               {kWrongUsage, "wrong usage"},
                                               {kInputOutput, "input or output failed"},
                                               {kDevice, "the machine cannot do it (memory, GPU)"}};

}  // namespace grundy::cli
