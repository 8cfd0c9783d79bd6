# cmake --install: the program, its studies, and a package for find_package(livens). The components are the packages of
# packages.cmake.
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/livens)
set(libraries livens_kernels livens_ensembles livens_expressions livens_taylor livens_built_in_series livens_spec livens_results livens_host livens_library
  livens_commands livens_checks)
if(LIVENS_CHECKS)
  list(APPEND libraries livens_reference livens_bench livens_naive)
endif()
set(TARGET_livens_true_motion "")
if(TARGET livens_true_motion)
  set(TARGET_livens_true_motion TRUE)
  list(APPEND libraries livens_true_motion)
endif()
set(TARGET_livens_cuda "")
if(TARGET livens_cuda)
  set(TARGET_livens_cuda TRUE)
  list(APPEND libraries livens_cuda)
endif()
install(TARGETS livens COMPONENT program)
install(TARGETS ${libraries} EXPORT livensTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/livens COMPONENT development)
install(EXPORT livensTargets NAMESPACE livens:: DESTINATION ${package} COMPONENT development)

install(FILES host/livens.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/livens COMPONENT development)
install(FILES expressions/mistake.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/livens/expressions COMPONENT development)
install(FILES expressions/operation.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/livens/expressions COMPONENT program)
install(DIRECTORY kernels taylor DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/livens COMPONENT program
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN "*.in")
install(DIRECTORY ${PROJECT_BINARY_DIR}/kernels/generated/kernels/systems
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/livens/kernels COMPONENT development FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY reference DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/livens COMPONENT development
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN "*.in")
install(FILES host/commands/main.cpp host/commands/program.hpp host/commands/verify.hpp host/commands/check.hpp
  host/commands/bench.hpp host/commands/certify.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/livens/host/commands COMPONENT development)
install(DIRECTORY studies DESTINATION ${CMAKE_INSTALL_DATADIR}/livens COMPONENT program)
install(DIRECTORY examples/systems DESTINATION ${CMAKE_INSTALL_DATADIR}/livens/examples COMPONENT program)  # of studies

configure_package_config_file(cmake/livensConfig.cmake.in ${PROJECT_BINARY_DIR}/livensConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/livensConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${PROJECT_BINARY_DIR}/livensConfig.cmake ${PROJECT_BINARY_DIR}/livensConfigVersion.cmake
  ${livens_units_file} cmake/units.cpp cmake/class_name.hpp cmake/records.hpp cmake/livens_kernels.cmake cmake/livens_reference.cmake
  cmake/livens_program.cmake DESTINATION ${package} COMPONENT development)
