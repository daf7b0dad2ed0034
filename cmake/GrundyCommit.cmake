# Which commit the source is of, for --version. Every build runs this with cmake -P and
#   SOURCE_DIR OUTPUT    the source tree, and the header to write, only when it changes
set(commit "unknown, not built in a clone")
find_program(git git)
if(git)
  # Not the commit of some other repository that a release was unpacked in.
  execute_process(COMMAND ${git} -C ${SOURCE_DIR} rev-parse --show-toplevel
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH ${SOURCE_DIR} source)
  if(top STREQUAL source)
    execute_process(COMMAND ${git} -C ${SOURCE_DIR} describe --always --exclude=* --abbrev=12
                            --dirty=\ and\ changes
                    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                    RESULT_VARIABLE failed)
    if(NOT failed)
      set(commit "${described}")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// Written by every build.
#pragma once

namespace grundy {

inline constexpr const char* kCommit = "@commit@";

}  // namespace grundy
]])
