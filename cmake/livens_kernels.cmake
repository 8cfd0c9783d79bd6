# The translation units and tables of kernels, generated from names. livens itself is built with these functions, and so
# is a program that adds systems and schemes of its own (livens_program.cmake).
#
# livens_root: the directory that holds kernels/.

set(LIVENS_LOWER_PRECISION ON CACHE STRING
  "Compile mixed and single precision as well: ON, OFF, or standard: of every system for the family of the scheme that is taken where none is named")
set_property(CACHE LIVENS_LOWER_PRECISION PROPERTY STRINGS ON OFF standard)
set(LIVENS_FORMS all CACHE STRING
  "Forms of every pair to compile: all, small (of at most 24 unknowns, and the preferred), preferred; others are compiled on first use")
set(LIVENS_CUDA_FORMS all CACHE STRING "The same for CUDA")
foreach(forms LIVENS_FORMS LIVENS_CUDA_FORMS)
  set_property(CACHE ${forms} PROPERTY STRINGS all small preferred)
  if(NOT ${forms} MATCHES "^(all|small|preferred)$")
    message(FATAL_ERROR "${forms}: '${${forms}}' is none of all, small, preferred")
  endif()
endforeach()
set(LIVENS_CUDA_SCHEMES all CACHE STRING
  "Schemes of every system to compile for CUDA: all, standard (your own, and the family of the one that is taken where none is named), none")
set_property(CACHE LIVENS_CUDA_SCHEMES PROPERTY STRINGS all standard none)
if(NOT LIVENS_CUDA_SCHEMES MATCHES "^(all|standard|none)$")
  message(FATAL_ERROR "LIVENS_CUDA_SCHEMES: '${LIVENS_CUDA_SCHEMES}' is none of all, standard, none")
endif()

# The class in a file: four_particle -> FourParticle.
function(livens_class_name file result)
  get_filename_component(file ${file} NAME_WE)
  string(REPLACE "_" ";" words ${file})
  set(name "")
  foreach(word IN LISTS words)
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND name ${first}${rest})
  endforeach()
  set(${result} ${name} PARENT_SCOPE)
endfunction()

# Those of the headers (relative to livens_root, or absolute) that describe the scheme they are named after; the others are
# further forms of one.
function(livens_describing result)
  set(found "")
  foreach(header IN LISTS ARGN)
    livens_class_name(${header} class)
    get_filename_component(path ${header} ABSOLUTE BASE_DIR ${livens_root})
    file(STRINGS ${path} lines REGEX "^struct ${class}Description ")
    if(lines)
      list(APPEND found ${header})
    endif()
    # Written again whenever a header gains or loses a description.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# A header with for_each_scheme() over the schemes of these headers, the forms of one scheme in the order given.
function(livens_write_schemes output)
  set(scheme_includes "")
  set(scheme_visits "")
  foreach(header IN LISTS ARGN)
    livens_class_name(${header} class)
    string(APPEND scheme_includes "#include \"${header}\"\n")
    string(APPEND scheme_visits
      "  if constexpr (requires { typename ${class}<System>; }) visit(std::type_identity<${class}<System>>{});\n")
  endforeach()
  if(LIVENS_LOWER_PRECISION)
    set(livens_lower_precision true)
  else()
    set(livens_lower_precision false)
  endif()
  configure_file(${livens_root}/kernels/forms/all.hpp.in ${output} @ONLY)
endfunction()

# The family of a scheme: of livens as its list has it, of one's own the folder that its header is in.
function(livens_family header result)
  list(FIND livens_scheme_headers ${header} place)
  if(place EQUAL -1)
    get_filename_component(folder ${header} DIRECTORY)
    get_filename_component(family ${folder} NAME)
  else()
    list(GET livens_scheme_families ${place} family)
  endif()
  set(${result} ${family} PARENT_SCOPE)
endfunction()

# <directory>/<family>/all.hpp for every family of these headers, as livens_write_schemes().
function(livens_write_families directory)
  set(families "")
  foreach(header IN LISTS ARGN)
    livens_family(${header} family)
    list(APPEND families ${family})
    list(APPEND headers_of_${family} ${header})
  endforeach()
  list(REMOVE_DUPLICATES families)
  foreach(family IN LISTS families)
    livens_write_schemes(${directory}/${family}/all.hpp ${headers_of_${family}})
  endforeach()
endfunction()

# The pairs `system/family` for which there is a scheme of the family that fits the system, in the order of the lists, as
# <result>_lower those of them with one that is offered in lower precision, as <result>_standard those with the scheme that
# the system takes where none is named, and as <result>_without_clones those with one that is compiled so: what a small
# program says that is compiled with these headers, again whenever one of them has changed.
function(livens_find_units result directory system_headers scheme_headers)
  livens_write_schemes(${directory}/fits_schemes.hpp ${scheme_headers})
  set(schemes_header ${directory}/fits_schemes.hpp)
  set(system_includes "")
  set(system_prints "")
  set(scheme_prints "")
  foreach(header IN LISTS system_headers)
    livens_class_name(${header} class)
    get_filename_component(system ${header} NAME_WE)
    string(APPEND system_includes "#include \"${header}\"\n")
    string(APPEND system_prints "  livens::print_fitting<livens::${class}<double>>(\"${system}\");\n")
  endforeach()
  foreach(header IN LISTS scheme_headers)
    livens_class_name(${header} class)
    livens_family(${header} family)
    string(APPEND scheme_prints
      "  if constexpr (requires { typename ${class}<System>; }) print<${class}<System>>(system, \"${family}\");\n")
  endforeach()
  set(source ${directory}/fits.cpp)
  set(program ${directory}/fits${CMAKE_EXECUTABLE_SUFFIX})
  configure_file(${livens_root}/kernels/backends/fits.cpp.in ${source} @ONLY)

  file(GLOB_RECURSE headers ${livens_root}/kernels/systems/*.hpp ${livens_root}/kernels/newton/*.hpp
    ${livens_root}/kernels/schemes/*.hpp ${livens_root}/kernels/forms/*.hpp)
  foreach(header IN LISTS system_headers scheme_headers)
    get_filename_component(path ${header} ABSOLUTE BASE_DIR ${livens_root})
    list(APPEND headers ${path})
  endforeach()
  list(REMOVE_DUPLICATES headers)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  set(current TRUE)
  foreach(input IN LISTS headers source schemes_header)
    if(NOT EXISTS ${program} OR ${input} IS_NEWER_THAN ${program})
      set(current FALSE)
    endif()
  endforeach()
  if(NOT current)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -O0 -I${livens_root} ${source} -o ${program}
      RESULT_VARIABLE failed)
    if(failed)
      file(REMOVE ${program})
      message(FATAL_ERROR "livens: which schemes fit which systems could not be compiled, see above")
    endif()
  endif()
  execute_process(COMMAND ${program} OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(STRIP "${lines}" lines)
  string(REPLACE "\n" ";" lines "${lines}")
  foreach(word IN ITEMS "" lower standard without_clones)
    set(pairs ${lines})
    if(word)
      list(FILTER pairs INCLUDE REGEX " ${word}( |$)")
      set(word _${word})
    endif()
    list(TRANSFORM pairs REPLACE " .*" "")
    list(REMOVE_DUPLICATES pairs)
    set(${result}${word} ${pairs} PARENT_SCOPE)
  endforeach()
endfunction()

# <directory>/known_pairs.cpp: every form of these schemes that fits one of these systems, whether or not it is compiled.
# Appends to the list `sources`.
function(livens_write_known_pairs directory system_headers scheme_headers)
  livens_write_schemes(${directory}/known_schemes.hpp ${scheme_headers})
  set(schemes_header known_schemes.hpp)
  foreach(header IN LISTS system_headers)
    livens_class_name(${header} class)
    string(APPEND system_includes "#include \"${header}\"\n")
    string(APPEND system_rows
      "      {&${class}<double>::info(), capabilities_of<${class}<double>>(), \"${header}\", \"${class}\"},\n")
    string(APPEND system_additions "    add_pairs<${class}<double>>(*known++, pairs);\n")
  endforeach()
  foreach(header IN LISTS scheme_headers)
    livens_class_name(${header} class)
    string(APPEND pair_additions
      "  if constexpr (requires { typename ${class}<System>; })\n"
      "    pairs.push_back(known_pair<${class}<System>>(known, \"${header}\", \"${class}\"));\n")
  endforeach()
  configure_file(${livens_root}/kernels/backends/known_pairs.cpp.in ${directory}/known_pairs.cpp @ONLY)
  # Tables alone, and nothing that is worth an optimization.
  set_source_files_properties(${directory}/known_pairs.cpp PROPERTIES COMPILE_OPTIONS -O0)
  list(APPEND sources ${directory}/known_pairs.cpp)
  set(sources ${sources} PARENT_SCOPE)
endfunction()

# The instruction set for which code that runs one instance at a time is compiled: plain for plain, and for all others,
# once, the least of them, since without fused instructions every fma is a call of the C library (decision 22).
function(livens_one_at_a_time isa result)
  if(NOT isa STREQUAL "plain" AND "avx2" IN_LIST livens_isas)
    set(isa avx2)
  endif()
  set(${result} ${isa} PARENT_SCOPE)
endfunction()
# The same for all of these, each once.
function(livens_all_one_at_a_time isas result)
  set(all "")
  foreach(isa IN LISTS isas)
    livens_one_at_a_time(${isa} least)
    list(APPEND all ${least})
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${result} ${all} PARENT_SCOPE)
endfunction()

# true where one of the instruction sets that take their difficult steps from this one is complete, or false.
function(livens_complete_one_at_a_time isa result)
  livens_all_one_at_a_time("${livens_complete_isas}" complete)
  set(${result} false PARENT_SCOPE)
  if(isa IN_LIST complete)
    set(${result} true PARENT_SCOPE)
  endif()
endfunction()

# true where an instruction set has a unit, or false: one that is not complete has standard_units alone.
function(livens_unit_for isa unit result)
  set(${result} false PARENT_SCOPE)
  if(isa IN_LIST livens_complete_isas OR unit IN_LIST standard_units)
    set(${result} true PARENT_SCOPE)
  endif()
endfunction()

# true where it has the unit in lower precision, too: complete ones, and plain code, whose bits the others have to have,
# wide_lower_units.
function(livens_lower_for isa unit result)
  set(${result} false PARENT_SCOPE)
  if((isa STREQUAL "plain" OR isa IN_LIST livens_complete_isas) AND unit IN_LIST wide_lower_units)
    set(${result} true PARENT_SCOPE)
  endif()
endfunction()

# The forms of every pair that an instruction set has.
function(livens_forms_for isa result)
  set(${result} ${LIVENS_FORMS} PARENT_SCOPE)
  if(NOT isa IN_LIST livens_complete_isas)
    set(${result} preferred PARENT_SCOPE)
  endif()
endfunction()

# For SchemeInfo::without_clones: g++ 12 would make clones of functions before it flattens a step.
set(livens_machine_flags_gnu_without_clones -fno-ipa-sra -fno-ipa-cp)
# Where g++ 12 makes vectors of scalar code it contracts a product and an addition to one instruction, whatever
# -ffp-contract=off says (vfmaddsub, vfmsubadd; ctest `contraction` looks for them). For what the program compiles; -O1 makes
# none.
set(livens_machine_flags_gnu_careful -fno-tree-slp-vectorize)

# <directory>/<part>_<name>_<isa>.cpp from kernels/backends/cpu/cpu_<part>.cpp.in. Appends to the list `sources`.
macro(livens_write_cpu_source directory part name isa)
  set(source ${directory}/${part}_${name}_${isa}.cpp)
  configure_file(${livens_root}/kernels/backends/cpu/cpu_${part}.cpp.in ${source} @ONLY)
  set(flags ${livens_flags_${isa}})
  if("${part}" STREQUAL "lanes" AND pair IN_LIST found_without_clones AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND flags ${livens_machine_flags_gnu_without_clones})
  endif()
  if("${part}" STREQUAL "careful")
    list(APPEND flags -O1)  # of one instance at a time g++ 12 makes nothing faster with more, and only takes longer
  endif()
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${flags}")
  list(APPEND sources ${source})
endmacro()

# The functions of the systems in these headers. Appends to the list `sources`.
function(livens_write_cpu_systems directory isas system_headers)
  livens_all_one_at_a_time("${isas}" one_at_a_time)
  foreach(system_header IN LISTS system_headers)
    livens_class_name(${system_header} class)
    get_filename_component(system ${system_header} NAME_WE)
    foreach(isa IN LISTS one_at_a_time)
      livens_write_cpu_source(${directory} system ${system} ${isa})
    endforeach()
  endforeach()
  set(sources ${sources} PARENT_SCOPE)
endfunction()

# A unit <system>_<family><suffix> for every system and every family of schemes of which one fits it, so that a scheme
# that is changed compiles its family again, and nothing else: one instance at a time, in the lanes of every instruction
# set, and where that is offered in mixed and single precision. An instruction set that is not one of
# livens_complete_isas has preferred forms alone, and but for plain in double precision and of standard units: one's own,
# and those with the scheme that a system takes where none is named. Appends to the lists
#   sources
#   units             all
#   standard_units
#   lower_units       with mixed and single precision
#   wide_lower_units  of those the ones that have them on plain code and on vectors, by LIVENS_LOWER_PRECISION
#   cuda_units        those of LIVENS_CUDA_SCHEMES
#   fitting           what livens_write_cuda_units() wants to know of them
# <directory>/schemes_of_<system>.hpp has the families of a system together.
function(livens_write_cpu_units directory suffix isas system_headers scheme_headers)
  if(NOT system_headers OR NOT scheme_headers)
    return()
  endif()
  livens_write_families(${directory} ${scheme_headers})
  livens_find_units(found ${directory} "${system_headers}" "${scheme_headers}")
  livens_all_one_at_a_time("${isas}" one_at_a_time)
  foreach(system_header IN LISTS system_headers)
    get_filename_component(system ${system_header} NAME_WE)
    livens_class_name(${system_header} class)
    set(families ${found})
    list(FILTER families INCLUDE REGEX "^${system}/")
    set(fitting_headers "")
    foreach(scheme_header IN LISTS scheme_headers)
      livens_family(${scheme_header} family)
      if("${system}/${family}" IN_LIST families)
        list(APPEND fitting_headers ${scheme_header})
      endif()
    endforeach()
    livens_write_schemes(${directory}/schemes_of_${system}.hpp ${fitting_headers})
    foreach(pair IN LISTS families)
      get_filename_component(family ${pair} NAME)
      set(schemes_header ${family}/all.hpp)
      set(unit ${system}_${family}${suffix})
      list(APPEND units ${unit})
      set(standard FALSE)
      if(pair IN_LIST found_standard OR NOT family IN_LIST livens_scheme_families)
        set(standard TRUE)
        list(APPEND standard_units ${unit})
      endif()
      if(pair IN_LIST found_lower)
        list(APPEND lower_units ${unit})
        if(standard OR NOT LIVENS_LOWER_PRECISION STREQUAL "standard")
          list(APPEND wide_lower_units ${unit})
        endif()
      endif()
      if(LIVENS_CUDA_SCHEMES STREQUAL "all" OR (LIVENS_CUDA_SCHEMES STREQUAL "standard" AND standard))
        list(APPEND cuda_units ${unit})
        list(APPEND fitting "${unit}|${system_header}|${directory}/${schemes_header}")
      endif()
      foreach(isa IN LISTS one_at_a_time)
        livens_complete_one_at_a_time(${isa} complete)
        if(NOT complete AND NOT standard)
          continue()
        endif()
        set(forms preferred)
        set(lower false)
        if(complete)
          set(forms ${LIVENS_FORMS})
        endif()
        if((complete OR isa STREQUAL "plain") AND unit IN_LIST wide_lower_units)
          set(lower true)
        endif()
        livens_write_cpu_source(${directory} careful ${unit} ${isa})
      endforeach()
      foreach(isa IN LISTS isas)
        livens_forms_for(${isa} forms)
        livens_unit_for(${isa} ${unit} there)
        if(there AND NOT isa STREQUAL "plain")  # the careful one is that
          livens_write_cpu_source(${directory} lanes ${unit} ${isa})
        endif()
        livens_lower_for(${isa} ${unit} lower)
        if(there AND lower AND unit IN_LIST lower_units)
          livens_write_cpu_source(${directory} lower ${unit} ${isa})
        endif()
      endforeach()
    endforeach()
  endforeach()
  foreach(list sources units standard_units lower_units wide_lower_units cuda_units fitting)
    set(${list} ${${list}} PARENT_SCOPE)
  endforeach()
endfunction()

# <directory>/registry.cpp: the tables of these systems and units, and of the schemes that the headers describe. The lists
# `standard_units`, `lower_units` and `wide_lower_units` say what of the units there is, as livens_write_cpu_units() does.
# Appends to the list `sources`.
function(livens_write_registry directory systems units isas headers)
  set(declarations "")
  foreach(isa plain avx2 avx512)
    set(${isa}_tables "")
    set(${isa}_made false)
  endforeach()
  foreach(isa IN LISTS isas)
    set(${isa}_made true)
    livens_one_at_a_time(${isa} least)
    livens_forms_for(${isa} forms)
    foreach(system IN LISTS systems)
      string(APPEND declarations "const SystemKernels& system_${system}_${least}();\n")
      string(APPEND ${isa}_tables "        t.systems.push_back(system_${system}_${least}());\n")
    endforeach()
    foreach(unit IN LISTS units)
      livens_unit_for(${isa} ${unit} there)
      if(NOT there)
        continue()
      endif()
      set(parts "")
      if(NOT isa STREQUAL "plain")
        list(APPEND parts lanes_${unit}_${isa})
      endif()
      livens_lower_for(${isa} ${unit} lower)
      if(lower AND unit IN_LIST lower_units)
        list(APPEND parts lower_${unit}_${isa})
      endif()
      string(APPEND declarations "CompiledPairs careful_${unit}_${least}(Forms);\n")
      foreach(part IN LISTS parts)
        string(APPEND declarations "void ${part}(CompiledPairs&);\n")
      endforeach()
      list(JOIN parts ", " parts)
      set(careful "careful_${unit}_${least}(Forms::${forms})")
      if(NOT lower)
        set(careful "{${careful}.full, {}}")
      endif()
      string(APPEND ${isa}_tables "        t.add(${careful}, {${parts}});\n")
    endforeach()
  endforeach()
  set(scheme_includes "")
  set(scheme_infos "")
  livens_describing(describing ${headers})
  foreach(header IN LISTS describing)
    livens_class_name(${header} class)
    string(APPEND scheme_includes "#include \"${header}\"\n")
    string(APPEND scheme_infos "&${class}Description::info, ")
  endforeach()
  configure_file(${livens_root}/kernels/backends/registry.cpp.in ${directory}/registry.cpp @ONLY)
  list(APPEND sources ${directory}/registry.cpp)
  set(sources ${sources} PARENT_SCOPE)
endfunction()

# CMake before 3.26 does not know that nvcc knows C++20. To be called in the directory of the target.
macro(livens_enable_cuda_cxx20)
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
endmacro()

# The options that every compilation of kernels needs.
function(livens_kernel_options target)
  # Contraction off: fusion is written out, which is what makes results equal to the bit on every backend.
  target_compile_options(${target} PUBLIC $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
  # g++ 12 warns inside its own avx512fintrin.h (GCC bug 105593).
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-uninitialized$<SEMICOLON>-Wno-maybe-uninitialized>)
endfunction()

# The functions of these systems, and the units of `fitting`, for CUDA. Appends to the list `cuda_sources`.
function(livens_write_cuda_units directory system_headers fitting)
  foreach(system_header IN LISTS system_headers)
    livens_class_name(${system_header} class)
    get_filename_component(system ${system_header} NAME_WE)
    configure_file(${livens_root}/kernels/backends/cuda/cuda_system.cu.in ${directory}/cuda_system_${system}.cu @ONLY)
    list(APPEND cuda_sources ${directory}/cuda_system_${system}.cu)
  endforeach()
  foreach(description IN LISTS fitting)
    string(REGEX MATCH "(.*)[|](.*)[|](.*)" parts ${description})
    set(unit ${CMAKE_MATCH_1})
    set(system_header ${CMAKE_MATCH_2})
    # The same text in every build tree, for ccache.
    file(RELATIVE_PATH schemes_header ${directory} ${CMAKE_MATCH_3})
    livens_class_name(${system_header} class)
    get_filename_component(system ${system_header} NAME_WE)
    configure_file(${livens_root}/kernels/backends/cuda/cuda_pairs.cu.in ${directory}/cuda_${unit}.cu @ONLY)
    set(careful ${directory}/cuda_careful_${unit}.cu)
    configure_file(${livens_root}/kernels/backends/cuda/cuda_careful.cu.in ${careful} @ONLY)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.0)
      set_source_files_properties(${careful} PROPERTIES COMPILE_OPTIONS --Ofast-compile=min)
    endif()
    list(APPEND cuda_sources ${directory}/cuda_${unit}.cu ${careful})
  endforeach()
  set(cuda_sources ${cuda_sources} PARENT_SCOPE)
endfunction()

# <directory>/cuda_registry.cpp: the table of all pairs of these units. Appends to the list `sources`.
function(livens_write_cuda_registry directory units)
  set(cuda_declarations "")
  set(cuda_tables "")
  foreach(unit IN LISTS units)
    string(APPEND cuda_declarations "std::vector<CudaPairKernels> cuda_${unit}();\n")
    string(APPEND cuda_declarations "void cuda_careful_${unit}(std::vector<CudaPairKernels>&);\n")
    string(APPEND cuda_tables "    add(cuda_${unit}(), cuda_careful_${unit});\n")
  endforeach()
  configure_file(${livens_root}/kernels/backends/cuda/cuda_registry.cpp.in ${directory}/cuda_registry.cpp @ONLY)
  list(APPEND sources ${directory}/cuda_registry.cpp)
  set(sources ${sources} PARENT_SCOPE)
endfunction()

# Tables of its own for a program that is to hold these units and instruction sets alone, on the CPU and on CUDA: they
# stand before those in the archives, which are then not taken.
function(livens_hold_only target units isas)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target}_tables)
  set(systems "")
  foreach(system IN LISTS livens_systems)
    if("${units}" MATCHES "(^|;)${system}_")
      list(APPEND systems ${system})
    endif()
  endforeach()
  foreach(list standard_units lower_units wide_lower_units)
    set(${list} ${livens_${list}})
  endforeach()
  set(sources "")
  livens_write_registry(${generated} "${systems}" "${units}" "${isas}" "${livens_scheme_headers}")
  set(cuda_units ${livens_cuda_units})
  list(JOIN units "|" any_of_units)
  list(FILTER cuda_units INCLUDE REGEX "^(${any_of_units})$")
  livens_write_cuda_registry(${generated} "${cuda_units}")
  target_sources(${target} PRIVATE ${sources})
endfunction()

# A library of objects of its own: what the CPU's kernels ask of g++ is no option of nvcc. It takes the headers of the
# library `kernels`.
function(livens_cuda_objects target sources kernels)
  add_library(${target} OBJECT ${sources})
  set_target_properties(${target} PROPERTIES
    CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON CUDA_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:${kernels},INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_options(${target} PRIVATE
    # Contraction off here as on the CPU: fusion is written out, which is what makes the bits equal.
    --fmad=false -Xcompiler=-ffp-contract=off
    # Functions of index arithmetic are constexpr and used on both sides. One that is not would be compiled into nothing
    # with a mere warning.
    --expt-relaxed-constexpr -Werror=cross-execution-space-call
    # "loop is not reachable", after an if on a constant of the system.
    -diag-suppress=128
    # The symbolic factorization of 118 unknowns takes more steps than a constant expression has by default.
    -Xcudafe=--max_cost_constexpr_call=100000000
    # Lines of the source beside the machine code, for a profiler; the machine code stays as it is.
    -lineinfo)
  # They would make an object three times as large, and this makes it smaller than it was without them.
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.8)
    target_compile_options(${target} PRIVATE --compress-mode=size)
  endif()
endfunction()
