# livens_suites(<target> [<property> <value>]...): a test of ctest for every suite of a program of googletest,
# <target>.<suite>. A process for every single test would be busy beginning: the programs hold the tables of all pairs.
function(livens_suites target)
  list(JOIN ARGN "]=] [=[" properties)
  set(read ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
  file(GENERATE OUTPUT ${read} CONTENT "set(program [=[$<TARGET_FILE:${target}>]=])
set(properties [=[${properties}]=])
include([=[${PROJECT_SOURCE_DIR}/tests/add_suites.cmake]=])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${read})
endfunction()
