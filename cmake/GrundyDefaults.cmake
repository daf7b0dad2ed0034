# Compiler options that all targets of this project share; not part of the installed package.
get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(PROJECT_IS_TOP_LEVEL AND NOT multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(grundy_options INTERFACE)
# g++ 12 warns of overlapping copies in "text" + std::string, where there are none.
set(gcc_12 "$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>")
target_compile_options(grundy_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion
  $<${gcc_12}:-Wno-restrict>
  $<$<BOOL:${GRUNDY_WARNINGS_AS_ERRORS}>:-Werror>
  $<$<BOOL:${GRUNDY_NATIVE}>:-march=native>>
  # The standard as a plain option, since CMake 3.25 does not know that of nvcc 13. Line numbers cost
  # nothing at run time, and every tool that looks at a kernel wants them.
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 -lineinfo
  $<$<BOOL:${GRUNDY_WARNINGS_AS_ERRORS}>:--Werror=all-warnings>>)
if(GRUNDY_SANITIZE)
  target_compile_options(grundy_options INTERFACE
    -fsanitize=${GRUNDY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(grundy_options INTERFACE -fsanitize=${GRUNDY_SANITIZE})
endif()
