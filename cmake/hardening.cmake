# livens_harden(<target>...): in optimised builds a buffer that is overrun all the same ends the program, and is not
# taken over. For code of the host, which reads what others have written; the objects of the kernels, where the time
# goes, are left as they are (docs/decisions/0021).
#   stack protector    a canary before the return address of functions with arrays
#   _FORTIFY_SOURCE    memcpy and the like check the length where the compiler knows the buffer's
# A program that links such a target has its tables of functions read-only from its start (RELRO, BIND_NOW). It is
# position-independent where that is the compiler's standard, as Debian's is: objects of kernels are compiled no other
# way for it. tests/program/hardened.sh looks at what came out.
function(livens_harden)
  set(optimised $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE
      $<${optimised}:-fstack-protector-strong> $<${optimised}:-U_FORTIFY_SOURCE> $<${optimised}:-D_FORTIFY_SOURCE=2>)
    target_link_options(${target} PUBLIC $<${optimised}:LINKER:-z,relro,-z,now>)
  endforeach()
endfunction()
