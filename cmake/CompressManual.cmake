# Debian has its manual pages compressed. CPack runs this on what it is about to pack.
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_DIRECTORY}/grundy.1)
foreach(page IN LISTS pages)
  execute_process(COMMAND gzip --best --no-name --force ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
