# The presets release, demo and dev build with LIVENS_FAST_BUILD: nearly all of the time that a file of the host or of the
# reference takes goes to headers and templates that its neighbours read as well. A build without it finds the file that
# forgets an include, compiles less after a change, and ccache knows more of its files again.
option(LIVENS_FAST_BUILD "Compile headers of libraries once, ahead, and files of the host several at a time" OFF)
# A unit of kernels makes hundreds of megabytes, and g++ looks through them again and again for what is not needed any
# more. It may begin with that at a quarter of a gigabyte; at a whole one, fresh pages cost more than is saved.
if(LIVENS_FAST_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=262144>)
endif()

# For what reads such headers.
function(livens_warn_as_before target)
  # g++ 12 forgets that these are headers of the system, whose code inlined into ours it does not judge otherwise.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict$<SEMICOLON>-Wno-array-bounds>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow$<SEMICOLON>-Wno-stringop-overread>)
endfunction()

# livens_precompile(<target> <header>...): the headers that most files of a target read are compiled once, ahead.
function(livens_precompile target)
  if(LIVENS_FAST_BUILD)
    list(TRANSFORM ARGN REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
    target_precompile_headers(${target} PRIVATE ${headers})
    livens_warn_as_before(${target})
  endif()
endfunction()

# livens_precompile_as(<target> <other>): the headers that another target has compiled, with the same flags and with no
# definition that this one lacks.
function(livens_precompile_as target other)
  if(LIVENS_FAST_BUILD)
    target_precompile_headers(${target} REUSE_FROM ${other})
    livens_warn_as_before(${target})
  endif()
endfunction()

# livens_unite(<target>): its files are compiled eight at a time. No two of them may define the same name.
function(livens_unite target)
  if(LIVENS_FAST_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# livens_compile_quickly(<target>): -O1 for what spends its time in other libraries, or is run for a comparison.
function(livens_compile_quickly target)
  if(LIVENS_FAST_BUILD)
    target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
  endif()
endfunction()
