# livens_add_program(<name>
#   [SYSTEMS <header>...]             systems of your own, each in the file of its name
#   [SCHEMES <header>...]             schemes of your own, the preferred form of each first
#   [SCHEMES_ON <system>...]          systems of livens on which these schemes shall run, too; or all
#   [REFERENCE_SYSTEMS <source>...]   their Eigen references: functions of the names of the files
#   [REFERENCE_ASSEMBLIES <source>...]  the same of those that are assemblies of parts
#   [REFERENCE_SCHEMES <source>...]
#   [ISA <isa>...])                   instruction sets, of those livens was built for; all of them when left out
#
# An executable with the commands of livens, and all its pairs, that also knows these systems and schemes. Where livens
# was built with CUDA and the project has enabled that language, they are compiled for CUDA as well.
function(livens_add_program program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" ""
    "SYSTEMS;SCHEMES;SCHEMES_ON;REFERENCE_SYSTEMS;REFERENCE_ASSEMBLIES;REFERENCE_SCHEMES;ISA")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "livens_add_program(${program}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  foreach(list SYSTEMS SCHEMES REFERENCE_SYSTEMS REFERENCE_ASSEMBLIES REFERENCE_SCHEMES)
    list(TRANSFORM arg_${list} PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/]")
  endforeach()
  set(isas ${livens_isas})
  if(arg_ISA)
    set(isas ${arg_ISA})
    foreach(isa IN LISTS isas)
      if(NOT isa IN_LIST livens_isas)
        message(FATAL_ERROR "livens_add_program(${program}): livens was not built for '${isa}', but for ${livens_isas}")
      endif()
    endforeach()
  endif()
  if(arg_SCHEMES_ON STREQUAL "all")
    set(arg_SCHEMES_ON ${livens_systems})
  endif()
  foreach(system IN LISTS arg_SCHEMES_ON)
    if(NOT system IN_LIST livens_systems)
      message(FATAL_ERROR "livens_add_program(${program}): livens has no system '${system}', but ${livens_systems}")
    endif()
  endforeach()

  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${program}_generated)
  set(sources ${generated}/registry.cpp)
  set(common --suffix _${program} --library ${livens_units_file} --isas ${isas} --families ${arg_SCHEMES})
  livens_find_fitting(${generated} --systems ${arg_SYSTEMS} ${common} ${livens_families})
  livens_include_units(units ${generated} ${common} ${livens_families})
  livens_find_fitting(${generated}/of_livens --systems ${arg_SCHEMES_ON} ${common})
  livens_include_units(units ${generated}/of_livens ${common})
  set(units ${livens_units_file} ${generated}/units.txt ${generated}/of_livens/units.txt)
  livens_call_units(registry --directory ${generated} --units ${units} --isas ${isas})

  add_executable(${program} ${livens_root}/host/commands/main.cpp ${sources})
  livens_kernel_options(${program})
  if(TARGET livens::livens_cuda AND CMAKE_CUDA_COMPILER)
    set(cuda_sources "")
    foreach(part ${generated} ${generated}/of_livens)
      livens_include_units(cuda ${part} --units ${part}/units.txt --library ${livens_units_file})
    endforeach()
    livens_call_units(cuda_registry --directory ${generated} --units ${units})
    livens_cuda_objects(${program}_cuda "${cuda_sources}" livens::livens_kernels)
    set_target_properties(${program}_cuda PROPERTIES CUDA_ARCHITECTURES "${livens_cuda_architectures}")
    target_sources(${program} PRIVATE ${generated}/cuda_registry.cpp $<TARGET_OBJECTS:${program}_cuda>)
  endif()
  if(TARGET livens::livens_reference)
    set(sources "")
    foreach(kind systems assemblies schemes)
      string(TOUPPER ${kind} given)
      set(${kind} ${livens_reference_${kind}})
      foreach(source IN LISTS arg_REFERENCE_${given})
        get_filename_component(name ${source} NAME_WE)
        list(APPEND ${kind} ${name})
        list(APPEND sources ${source})
      endforeach()
    endforeach()
    livens_write_reference_registry(${generated} "${systems}" "${assemblies}" "${schemes}")
    target_sources(${program} PRIVATE ${sources})
    target_link_libraries(${program} PRIVATE livens::livens_reference)
  endif()
  # The tables of the program itself stand before those in the archives, which are then not taken.
  target_link_libraries(${program} PRIVATE livens::livens_checks livens::livens_commands livens::livens_host
    livens::livens_results livens::livens_spec livens::livens_kernels)
endfunction()
