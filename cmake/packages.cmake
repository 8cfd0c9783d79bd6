# cpack in a build tree: packages for Debian.
#   livens           the program, its studies, and the headers that it compiles against on first use
#   livens-dev       what find_package(livens) needs
#   python3-livens   the package of Python, where it is built (LIVENS_PYTHON, with Debian's interpreter)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the authors of livens")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME livens)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "g++, librandom123-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME livens-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "livens (= ${PROJECT_VERSION}), libtomlplusplus-dev, libcli11-dev, \
libhdf5-dev, nlohmann-json3-dev, libfmt-dev, libssl-dev, zlib1g-dev, libminizip-dev, librandom123-dev")
if(LIVENS_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-livens)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "livens (= ${PROJECT_VERSION}), \
python3 (>= ${livens_python_version}), python3 (<< ${livens_python_version}.99), python3-numpy, python3-xarray, \
python3-tomli-w")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-matplotlib, python3-tqdm")
endif()
include(CPack)
