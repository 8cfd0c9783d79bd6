# Man pages, made of --help where help2man is there, and what shells complete; both are installed where they are found.
set(manual ${PROJECT_BINARY_DIR}/manual)
set(completions bash/livens zsh/_livens fish/livens.fish)
set(made "")
foreach(file IN LISTS completions)
  get_filename_component(shell ${file} DIRECTORY)
  add_custom_command(OUTPUT ${manual}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manual}/${shell}
    COMMAND livens completion ${shell} > ${manual}/${file}
    DEPENDS livens VERBATIM)
  list(APPEND made ${manual}/${file})
endforeach()
install(FILES ${manual}/bash/livens DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${manual}/zsh/_livens DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
install(FILES ${manual}/fish/livens.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

find_program(LIVENS_HELP2MAN help2man)
mark_as_advanced(LIVENS_HELP2MAN)
if(LIVENS_HELP2MAN)
  add_custom_command(OUTPUT ${manual}/man1/livens.1
    COMMAND bash ${PROJECT_SOURCE_DIR}/cmake/man_pages.sh $<TARGET_FILE:livens> ${LIVENS_HELP2MAN} ${manual}/man1
    DEPENDS livens ${PROJECT_SOURCE_DIR}/cmake/man_pages.sh VERBATIM)
  list(APPEND made ${manual}/man1/livens.1)
  install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
else()
  message(STATUS "No man pages, as there is no help2man")
endif()
add_custom_target(livens_manual ALL DEPENDS ${made})
