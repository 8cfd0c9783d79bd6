# The programs that gpu_check.sh packs beside the self-test: livens and the comparison with cuBLAS with a few systems,
# since every program holds the machine code of all its systems.
set(systems "")
file(GLOB runs CONFIGURE_DEPENDS runs/*.toml)
foreach(run IN LISTS runs)
  get_filename_component(system ${run} NAME_WE)
  if(system IN_LIST livens_systems)
    list(APPEND systems ${system})
  endif()
endforeach()
set(generated ${CMAKE_CURRENT_BINARY_DIR}/pack_generated)
set(sources "")
# These tables stand before those in the archives, which are then not taken.
list(JOIN systems "|" named)
set(units ${livens_units})
set(lower_units ${livens_lower_units})
foreach(list units lower_units)
  list(FILTER ${list} INCLUDE REGEX "^(${named})_")
endforeach()
livens_write_registry(${generated} "${systems}" "${units}" "${lower_units}" "${livens_isas}" "${livens_scheme_headers}")
livens_write_cuda_registry(${generated} "${units}")
add_executable(cuda_livens ${PROJECT_SOURCE_DIR}/host/commands/main.cpp ${sources})
target_compile_options(cuda_livens PRIVATE -Wall -Wextra -Werror)
target_link_libraries(cuda_livens PRIVATE livens_checks livens_host livens_kernels)
livens_libraries_beside(cuda_livens)

# The archive for a machine with a GPU, with what every pair has to come to there, computed here.
add_custom_target(gpu_pack
  COMMAND sh ${PROJECT_SOURCE_DIR}/scripts/gpu_check.sh
    --pack ${PROJECT_BINARY_DIR}/gpu_pack.tar.gz ${PROJECT_BINARY_DIR}
  DEPENDS cuda_selftest cuda_livens dataset_digests digests USES_TERMINAL VERBATIM)
foreach(program lockstep sparse_lockstep)
  if(TARGET ${program})
    add_dependencies(gpu_pack ${program})
  endif()
endforeach()
