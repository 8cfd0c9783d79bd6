# Two GPUs made of host memory: the backend's own code, the self-test's, and livens itself, without CUDA.
find_package(GTest REQUIRED)
find_package(fmt REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)

add_library(imitated_gpus OBJECT imitation.cpp ${PROJECT_SOURCE_DIR}/kernels/backends/cuda/cuda_backend.cpp)
target_link_libraries(imitated_gpus PUBLIC livens_kernels)
add_executable(imitation_selftest main.cpp ${selftest})
target_link_libraries(imitation_selftest PRIVATE imitated_gpus livens_digests)
# The host on them; what links it takes these objects in place of those of livens_host.
add_library(imitated_backends OBJECT imitated_series.cpp
  ${PROJECT_SOURCE_DIR}/host/backends/backends.cpp ${PROJECT_SOURCE_DIR}/host/backends/taylor_cuda_backend.cpp
  ${PROJECT_SOURCE_DIR}/host/compilation/compiled_cuda.cpp)
target_compile_definitions(imitated_backends PRIVATE LIVENS_WITH_CUDA)
target_link_libraries(imitated_backends PRIVATE livens_library imitated_gpus livens_reference fmt::fmt)
add_executable(imitation_tests advance_test.cpp ensemble.cpp imitation_test.cpp series_test.cpp)
target_compile_definitions(imitation_tests PRIVATE
  LIVENS_EXAMPLES="${PROJECT_SOURCE_DIR}/examples/systems"
  LIVENS_TEXT="${PROJECT_SOURCE_DIR}/examples/systems/unit_circle.toml")
target_link_libraries(imitation_tests PRIVATE
  imitated_backends livens_library imitated_gpus livens_digests livens_reference fmt::fmt GTest::gtest_main)
# The program itself with such GPUs, one of which fails.
add_executable(imitation_livens ${PROJECT_SOURCE_DIR}/host/commands/main.cpp)
target_link_libraries(imitation_livens PRIVATE
  imitated_backends imitated_gpus livens_checks livens_commands livens_host livens_results livens_spec livens_kernels
  livens_reference fmt::fmt)
add_executable(dataset_digests dataset_digests.cpp)
target_link_libraries(dataset_digests PRIVATE livens_digests ${HDF5_C_LIBRARIES})
target_include_directories(dataset_digests SYSTEM PRIVATE ${HDF5_C_INCLUDE_DIRS})
foreach(target imitated_gpus imitated_backends imitation_selftest imitation_tests imitation_livens dataset_digests)
  target_compile_options(${target} PRIVATE -ffp-contract=off -Wall -Wextra -Werror)
endforeach()
target_link_options(imitation_selftest PRIVATE ${self_contained})
target_link_options(dataset_digests PRIVATE ${self_contained})
livens_libraries_beside(dataset_digests)
livens_libraries_beside(imitation_livens)
if(TARGET livens_true_motion)
  target_link_libraries(imitated_backends PRIVATE livens_true_motion)
  target_link_libraries(imitation_tests PRIVATE livens_true_motion)
  target_link_libraries(imitation_livens PRIVATE livens_true_motion)
endif()

livens_suites(imitation_tests TIMEOUT 600)
add_test(NAME imitation_selftest COMMAND imitation_selftest --small)
add_test(NAME imitation_digests
  COMMAND imitation_selftest --small --expected ${CMAKE_CURRENT_SOURCE_DIR}/../digests.json)
add_test(NAME imitation_records COMMAND imitation_selftest --records)
find_program(livens_python NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(livens_python AND "four_particle" IN_LIST livens_systems)
  add_test(NAME failing_device
    COMMAND ${livens_python} ${CMAKE_CURRENT_SOURCE_DIR}/failing_device.py $<TARGET_FILE:imitation_livens>
            ${CMAKE_CURRENT_BINARY_DIR}/failing_device)
  set_tests_properties(failing_device PROPERTIES ENVIRONMENT "PYTHONPATH=${PROJECT_SOURCE_DIR}/tests/program")
endif()

# The stages of gpu_check.sh on that, and what they say when something is wrong, late or missing.
add_test(NAME gpu_stages COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/stages.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/stages)
# The archive for a machine with a GPU, in a root with nothing but the C library; also that of the real programs where
# they were built.
add_test(NAME gpu_pack COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/pack.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/pack)
set_tests_properties(gpu_stages gpu_pack PROPERTIES TIMEOUT 900 COST 100)
# What the runs come to is computed by the first of them.
set_tests_properties(gpu_pack PROPERTIES SKIP_RETURN_CODE 77 DEPENDS gpu_stages)

# Launches on a runtime that is made up: only the headers of the toolkit are needed.
find_package(CUDAToolkit QUIET)
if(CUDAToolkit_FOUND)
  set(backends ${PROJECT_SOURCE_DIR}/kernels/backends/cuda)
  add_executable(launch_tests launch_test.cpp ${backends}/cuda_device.cpp ${backends}/cuda_launch.cpp)
  target_include_directories(launch_tests PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(launch_tests SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_compile_options(launch_tests PRIVATE -Wall -Wextra -Werror)
  target_link_libraries(launch_tests PRIVATE GTest::gtest_main)
  livens_suites(launch_tests)
  add_executable(library_tests library_test.cpp ${backends}/cuda_device.cpp ${backends}/cuda_launch.cpp
    ${backends}/cuda_library.cpp)
  target_include_directories(library_tests SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_compile_options(library_tests PRIVATE -Wall -Wextra -Werror)
  target_compile_definitions(library_tests PRIVATE LIVENS_TEXTS="${PROJECT_SOURCE_DIR}/examples/systems")
  target_link_libraries(library_tests PRIVATE livens_library GTest::gtest_main)
  # The runtime that is made up stands before the real one, which the kernels of the program bring along.
  target_link_options(library_tests PRIVATE LINKER:--allow-multiple-definition)
  livens_suites(library_tests TIMEOUT 600)
  add_executable(memory_tests memory_test.cpp ${backends}/cuda_device.cpp ${backends}/cuda_memory.cpp)
  target_include_directories(memory_tests PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(memory_tests SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_compile_options(memory_tests PRIVATE -Wall -Wextra -Werror)
  target_link_libraries(memory_tests PRIVATE GTest::gtest_main)
  livens_suites(memory_tests)
endif()
