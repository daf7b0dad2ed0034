# cmake --install, and the package that find_package(grundy) finds. Nothing in it names the prefix:
# what is installed can be moved.
include(CMakePackageConfigHelpers)

install(TARGETS grundy EXPORT grundyTargets)
# From the program to the library next to it, when that is a shared one.
file(RELATIVE_PATH bin_to_lib
     ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(grundy_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
install(TARGETS grundy_cli)

foreach(dir IN LISTS GRUNDY_HEADER_DIRS)
  install(DIRECTORY host/${dir} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/grundy
          FILES_MATCHING PATTERN "*.hpp"
          # Private: they would make the headers of HDF5 and CUDA a dependency.
          REGEX "/(hdf5|table_file|cuda_support|device_table)\\.hpp$" EXCLUDE)
endforeach()
install(DIRECTORY kernels DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/grundy
        FILES_MATCHING PATTERN "*.hpp"
        REGEX "/(schedules|strip_reducer|reductions)\\.hpp$" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/include/grundy/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/grundy)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/grundy)
install(EXPORT grundyTargets NAMESPACE grundy:: DESTINATION ${package_dir})
configure_package_config_file(cmake/grundyConfig.cmake.in grundyConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(grundyConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/grundyConfig.cmake
              ${PROJECT_BINARY_DIR}/grundyConfigVersion.cmake
        DESTINATION ${package_dir})
