# Beside the self-test gpu_check.sh packs livens with the pairs of tests/cuda/runs and of bench/peers/gpu.py, since every
# program holds the machine code of all its pairs.
set(units double_spherical_pendulum_del double_spherical_pendulum_rattle four_particle_ems four_particle_rattle)
file(GLOB runs CONFIGURE_DEPENDS runs/*.toml)
foreach(run IN LISTS runs)
  file(STRINGS ${run} names REGEX "^name = ")
  list(TRANSFORM names REPLACE "^name = \"(.*)\"" "\\1")
  list(GET names 0 system)
  list(GET names 1 scheme)
  foreach(word IN LISTS livens_families)
    if(word MATCHES "(.+):$")
      set(family ${CMAKE_MATCH_1})
    elseif(word MATCHES "/${scheme}$")
      list(APPEND units ${system}_${family})
    endif()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES units)
string(REPLACE ";" "|" pattern "${units}")
set(held ${livens_units})
list(FILTER held INCLUDE REGEX "^(${pattern})$")
add_executable(cuda_livens ${PROJECT_SOURCE_DIR}/host/commands/main.cpp)
# One instruction set, as in the self-test: others give the same bits, and would only make it larger.
livens_hold_only(cuda_livens "${held}" "${isas}")
target_compile_options(cuda_livens PRIVATE -Wall -Wextra -Werror)
target_link_libraries(cuda_livens PRIVATE
    livens_checks livens_commands livens_host livens_results livens_spec livens_kernels)
livens_libraries_beside(cuda_livens)

# The archive for a machine with a GPU, with what every pair has to come to there, computed here.
add_custom_target(gpu_pack
  COMMAND sh ${PROJECT_SOURCE_DIR}/scripts/gpu_check.sh
    --pack ${PROJECT_BINARY_DIR}/gpu_pack.tar.gz ${PROJECT_BINARY_DIR}
  DEPENDS cuda_selftest cuda_livens dataset_digests USES_TERMINAL VERBATIM)
if(TARGET lockstep)
  add_dependencies(gpu_pack lockstep)
endif()
