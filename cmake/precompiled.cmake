# livens_precompile(<target> <header>...): the headers that most files of a target read are compiled once, ahead: half of
# the time that such a file takes. With LIVENS_PCH alone (preset release), since a build without it finds the file that
# forgets an include, and ccache knows more files again.
option(LIVENS_PCH "Compile headers that many files read once, ahead" OFF)
function(livens_precompile target)
  if(LIVENS_PCH)
    list(TRANSFORM ARGN REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
    target_precompile_headers(${target} PRIVATE ${headers})
    # g++ 12 forgets that these are headers of the system, whose code inlined into ours it does not judge otherwise.
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict$<SEMICOLON>-Wno-array-bounds>
      $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow$<SEMICOLON>-Wno-stringop-overread>)
  endif()
endfunction()
