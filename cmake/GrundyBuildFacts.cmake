# What --version says of the build: host/report/build_facts.cpp.
set(build_options)
if(GRUNDY_NATIVE)
  list(APPEND build_options -march=native)
endif()
if(GRUNDY_SANITIZE)
  list(APPEND build_options -fsanitize=${GRUNDY_SANITIZE})
endif()
list(JOIN build_options ", " build_options)
list(JOIN CMAKE_CUDA_ARCHITECTURES ", " architectures)
set_source_files_properties(host/report/build_facts.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${PROJECT_BINARY_DIR}/private
  COMPILE_DEFINITIONS
  "GRUNDY_BUILD_TYPE=\"$<CONFIG>\";GRUNDY_BUILD_OPTIONS=\"${build_options}\";GRUNDY_CUDA_ARCHITECTURES=\"${architectures}\"")
add_custom_target(grundy_commit
  BYPRODUCTS ${PROJECT_BINARY_DIR}/private/commit.hpp
  COMMAND ${CMAKE_COMMAND} -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
          -D OUTPUT=${PROJECT_BINARY_DIR}/private/commit.hpp
          -P ${PROJECT_SOURCE_DIR}/cmake/GrundyCommit.cmake
  COMMENT "Looking at the commit")
add_dependencies(grundy grundy_commit)
