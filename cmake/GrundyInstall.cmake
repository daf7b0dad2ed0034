# cmake --install, and the package that find_package(grundy) finds. Nothing in it names the prefix:
# what is installed can be moved.
include(CMakePackageConfigHelpers)

install(TARGETS grundy EXPORT grundyTargets COMPONENT development)
# From the program to the library next to it, when that is a shared one.
file(RELATIVE_PATH bin_to_lib
     ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(grundy_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
install(TARGETS grundy_cli COMPONENT program)
install(FILES README.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# The manual page and the completion of bash and zsh come from the program itself.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(from_program ${PROJECT_BINARY_DIR}/from_program)
  file(MAKE_DIRECTORY ${from_program})
  add_custom_command(TARGET grundy_cli POST_BUILD VERBATIM
    COMMAND grundy_cli man > ${from_program}/grundy.1
    COMMAND grundy_cli completion bash > ${from_program}/grundy
    COMMAND grundy_cli completion zsh > ${from_program}/_grundy)
  install(FILES ${from_program}/grundy.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  install(FILES ${from_program}/grundy
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
  # Debian's zsh looks into the first below /usr, and into the other, as all do, below /usr/local.
  foreach(folder vendor-completions site-functions)
    install(FILES ${from_program}/_grundy
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${folder} COMPONENT program)
  endforeach()
endif()

foreach(dir IN LISTS GRUNDY_HEADER_DIRS)
  install(DIRECTORY host/${dir} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/grundy
          COMPONENT development FILES_MATCHING PATTERN "*.hpp"
          # Private: they would make the headers of HDF5 and CUDA a dependency.
          REGEX "/(hdf5|table_file|cuda_support|device_table)\\.hpp$" EXCLUDE)
endforeach()
install(DIRECTORY kernels DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/grundy
        COMPONENT development FILES_MATCHING PATTERN "*.hpp"
        REGEX "/(schedules|strip_reducer|reductions)\\.hpp$" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/include/grundy/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/grundy COMPONENT development)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/grundy)
install(EXPORT grundyTargets NAMESPACE grundy:: DESTINATION ${package_dir}
        COMPONENT development)
configure_package_config_file(cmake/grundyConfig.cmake.in grundyConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(grundyConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/grundyConfig.cmake
              ${PROJECT_BINARY_DIR}/grundyConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)
