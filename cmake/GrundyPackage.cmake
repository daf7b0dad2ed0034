# Debian packages: grundy, the program, and libgrundy-dev, the library. "cpack -G DEB" in a build tree
# makes them; the preset "package" is for those that run on other machines too.
set(CPACK_PACKAGE_NAME grundy)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tables of Grundy values of Wythoff's game and its variants")
set(CPACK_PACKAGE_VENDOR "grundy maintainers")
set(CPACK_PACKAGE_CONTACT "grundy maintainers <maintainers@grundy.invalid>"
    CACHE STRING "Maintainer of the Debian packages, with an address")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/CompressManual.cmake)

# A version below the release for what may not run elsewhere.
set(CPACK_DEBIAN_PACKAGE_VERSION ${PROJECT_VERSION})
if(GRUNDY_NATIVE)
  string(APPEND CPACK_DEBIAN_PACKAGE_VERSION "~native")
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME grundy)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS fonts-dejavu-core)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
"Computes tables of Grundy values of Wythoff's game and of variants with
larger terminal sets, stores them as HDF5 files, and checks them against
the definition by independent code.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libgrundy-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libhdf5-dev, libdeflate-dev, libzstd-dev, libcairo2-dev, libfmt-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"The C++20 library that the program grundy is made of, with its headers and
the files with which CMake finds it.")
include(CPack)
