# Installs a build tree, moves what was installed elsewhere, and uses it there as others would: the
# library from the CMake project in this folder, and the program. Run with cmake -P and
#   BUILD_DIR CONFIG     the build tree, and which of its configurations
#   WORK_DIR             a folder to work in; its content is replaced
#   GENERATOR COMPILER   what to build the project with
#   PROGRAM              path of the program below the prefix
set(prefix ${WORK_DIR}/prefix)
set(digest 124121d9e9bafcf6)  # of the extended table of 100 x 100 positions

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${CONFIG} --prefix ${WORK_DIR}/moved_away)
file(RENAME ${WORK_DIR}/moved_away ${prefix})
file(GLOB_RECURSE private ${prefix}/hdf5.hpp)
if(private)
  message(FATAL_ERROR "installed, but private: ${private}")
endif()
file(GLOB_RECURSE package_files ${prefix}/*.cmake)
foreach(package_file IN LISTS package_files)
  file(READ ${package_file} text)
  string(FIND "${text}" ${BUILD_DIR} found)
  if(NOT found EQUAL -1)
    message(FATAL_ERROR "${package_file} names the build tree")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/build -G ${GENERATOR}
    -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build --config ${CONFIG})
find_program(consumer consumer PATHS ${WORK_DIR}/build ${WORK_DIR}/build/${CONFIG} REQUIRED
             NO_DEFAULT_PATH)
run(${consumer})

set(table ${WORK_DIR}/table.h5)
run(${prefix}/${PROGRAM} compute --rule extended --size 100 --output ${table})
run(${prefix}/${PROGRAM} verify ${table})
execute_process(COMMAND ${prefix}/${PROGRAM} info --json ${table} OUTPUT_VARIABLE info)
if(NOT info MATCHES "\"digest\":\"${digest}\"")
  message(FATAL_ERROR "the digest is not ${digest}: ${info}")
endif()
