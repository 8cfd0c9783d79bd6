# What ctest reads for livens_suites(): asks `program` for its suites, and gives each of them `properties`.
get_filename_component(name ${program} NAME_WE)
if(NOT EXISTS ${program})
  add_test(${name} ${program})  # fails, and says why
  return()
endif()
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[^ \n]+[.]" suites "${lines}")
foreach(suite IN LISTS suites)
  string(STRIP "${suite}" suite)
  string(REGEX REPLACE "[.]$" "" suite "${suite}")
  add_test("${name}.${suite}" "${program}" "--gtest_filter=${suite}.*")
  set_tests_properties("${name}.${suite}" PROPERTIES ${properties})
endforeach()
