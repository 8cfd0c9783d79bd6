# The archive for a machine with a GPU, with what every pair has to come to there, computed here.
add_custom_target(gpu_pack
  COMMAND sh ${PROJECT_SOURCE_DIR}/scripts/gpu_check.sh
    --pack ${PROJECT_BINARY_DIR}/gpu_pack.tar.gz ${PROJECT_BINARY_DIR}
  DEPENDS cuda_selftest livens dataset_digests USES_TERMINAL VERBATIM)
if(TARGET lockstep)
  add_dependencies(gpu_pack lockstep)
endif()
