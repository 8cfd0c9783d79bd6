# The translation units of kernels. livens itself is built with these functions, and so is a program that adds systems
# and schemes of its own (livens_program.cmake). Which units there are, and what is in them, is up to units.cpp, a
# program that is compiled and run while CMake configures.
#
# livens_root: the directory that holds kernels/.

# A cache entry that is one of these words; the first is taken where none is given.
function(livens_choice name words help)
  list(GET words 0 first)
  set(${name} ${first} CACHE STRING "${help}")
  set_property(CACHE ${name} PROPERTY STRINGS ${words})
  if(NOT ${name} IN_LIST words)
    message(FATAL_ERROR "${name}: '${${name}}' is none of ${words}")
  endif()
endfunction()
livens_choice(LIVENS_LOWER_PRECISION "ON;OFF;standard"
  "Compile mixed and single precision as well: ON, OFF, or standard: of every system for the family of the scheme that is taken where none is named")
livens_choice(LIVENS_FORMS "all;small;preferred"
  "Forms of every pair to compile: all, small (of at most 24 unknowns, and the preferred), preferred; others are compiled on first use")
livens_choice(LIVENS_CUDA_FORMS "all;small;preferred" "The same for CUDA")
livens_choice(LIVENS_CUDA_SCHEMES "all;standard;none"
  "Schemes of every system to compile for CUDA: all, standard (your own, and the family of the one that is taken where none is named), none")

option(LIVENS_CUDA_LINES "Lines of the source beside the device's machine code, for a profiler; the code stays as it is" ON)

# Flags, by the names that units.cpp gives them, beside those of the instruction sets. What runs one instance at a time
# g++ 12 makes no faster with more, and only takes longer.
set(livens_flags_careful -O1)
# For SchemeInfo::without_clones: g++ 12 would make clones of functions before it flattens a step.
set(livens_machine_flags_gnu_without_clones -fno-ipa-sra -fno-ipa-cp)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(livens_flags_without_clones ${livens_machine_flags_gnu_without_clones})
endif()
# Where g++ 12 makes vectors of scalar code it contracts a product and an addition to one instruction, whatever
# -ffp-contract=off says (vfmaddsub, vfmsubadd; ctest `contraction` looks for them). For what the program compiles; -O1
# makes none. Steps for lanes and for one instance are in one file there, beyond which g++ stops to inline: `vi_a` on the
# text of heavy_top took 1.7 times as long (`scripts/text_acceptance.py BUILD --systems heavy_top`).
set(livens_machine_flags_gnu_careful -fno-tree-slp-vectorize --param=inline-unit-growth=1000)
set(livens_flags_cuda_careful $<$<VERSION_GREATER_EQUAL:$<CUDA_COMPILER_VERSION>,13.0>:--Ofast-compile=min>)

# A source for a list, with the flags of these names: what units.cpp writes for CMake.
macro(livens_source list source)
  set(flags "")
  foreach(name IN ITEMS ${ARGN})
    list(APPEND flags ${livens_flags_${name}})
  endforeach()
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${flags}")
  list(APPEND ${list} ${source})
endmacro()

# Compiles a program that CMake runs, where it is older than its source and the other inputs; apart from linking it, for
# ccache. What begins with -I is where headers are.
function(livens_compile_now program source)
  set(inputs ${source} ${ARGN})
  set(places ${ARGN})
  list(FILTER inputs EXCLUDE REGEX "^-I")
  list(FILTER places INCLUDE REGEX "^-I")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})
  foreach(input IN LISTS inputs)
    if(${input} IS_NEWER_THAN ${program})  # or there is no program
      execute_process(RESULT_VARIABLE failed COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER}
        -std=c++20 -O0 -I${livens_root} ${places} -c ${source} -o ${program}.o)
      if(failed EQUAL 0)
        execute_process(RESULT_VARIABLE failed COMMAND ${CMAKE_CXX_COMPILER} ${program}.o -o ${program})
      endif()
      if(NOT failed EQUAL 0)
        file(REMOVE ${program})
        message(FATAL_ERROR "livens: ${source} could not be compiled, see above")
      endif()
      return()
    endif()
  endforeach()
endfunction()

# livens_call_units(<command> --<name> <word>...): units.cpp says what the commands do.
function(livens_call_units)
  set(program ${CMAKE_BINARY_DIR}/CMakeFiles/livens_units)
  set(source ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/units.cpp)
  livens_compile_now(${program} ${source} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/records.hpp
    ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/class_name.hpp)
  execute_process(COMMAND ${program} ${ARGN} --root ${livens_root} --built-isas ${livens_isas}
    --complete-isas ${livens_complete_isas} --forms ${LIVENS_FORMS} --cuda-forms ${LIVENS_CUDA_FORMS}
    --lower ${LIVENS_LOWER_PRECISION} --cuda-schemes ${LIVENS_CUDA_SCHEMES} RESULT_VARIABLE failed ERROR_VARIABLE problem)
  if(failed)
    message(FATAL_ERROR "${problem}")
  endif()
endfunction()

# The same, and includes the list that the command writes: sources are appended to `sources` or `cuda_sources`.
macro(livens_include_units command directory)
  livens_call_units(${command} --directory ${directory} ${ARGN})
  include(${directory}/${command}.cmake)
endmacro()

# livens_write_systems(<directory> <text>...): kernels/systems/NAME.hpp there of every NAME.toml, and of what stands beside
# it in kernels/systems/beside_text. The program that does so is the library of texts as one source.
function(livens_write_systems directory)
  find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
  mark_as_advanced(TOMLPLUSPLUS_INCLUDE_DIR)
  file(GLOB sources CONFIGURE_DEPENDS ${livens_root}/expressions/*.cpp)
  list(APPEND sources ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/write_header.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${livens_root}/expressions/*.hpp ${livens_root}/cmake/class_name.hpp)
  list(TRANSFORM sources REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE includes)
  string(CONCAT includes ${includes})
  file(CONFIGURE OUTPUT ${directory}/write_header.cpp CONTENT "${includes}" @ONLY)
  livens_compile_now(${directory}/write_header ${directory}/write_header.cpp ${sources} ${headers}
    -I${TOMLPLUSPLUS_INCLUDE_DIR})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  file(MAKE_DIRECTORY ${directory}/kernels/systems)
  file(GLOB others ${directory}/kernels/systems/*.hpp)  # one that is no text any more would hide its header
  foreach(text IN LISTS ARGN)
    get_filename_component(system ${text} NAME_WE)
    set(header ${directory}/kernels/systems/${system}.hpp)
    list(REMOVE_ITEM others ${header})
    set(beside kernels/systems/beside_text/${system}.hpp)
    if(NOT EXISTS ${livens_root}/${beside})
      set(beside "")
    endif()
    execute_process(COMMAND ${directory}/write_header ${text} ${header}.new ${system} ${beside} COMMAND_ERROR_IS_FATAL ANY)
    file(COPY_FILE ${header}.new ${header} ONLY_IF_DIFFERENT)
    file(REMOVE ${header}.new)
  endforeach()
  if(others)
    file(REMOVE ${others})
  endif()
endfunction()

# livens_find_fitting(<directory> --systems <system>... --families <family>: <scheme>...): writes fits.txt there, for the
# command `units`, anew whenever a header has changed that decides which schemes fit which systems.
function(livens_find_fitting directory)
  livens_call_units(fits --directory ${directory} ${ARGN})
  file(GLOB_RECURSE headers ${livens_root}/kernels/systems/*.hpp ${livens_root}/kernels/newton/*.hpp
    ${livens_root}/kernels/schemes/*.hpp ${livens_root}/kernels/forms/*.hpp ${directory}/kernels/*.hpp)
  list(FILTER ARGN INCLUDE REGEX "^/.*[.]hpp$")  # those of a program of one's own
  livens_compile_now(${directory}/fits ${directory}/fits.cpp ${directory}/known_schemes.hpp ${headers} ${ARGN}
    -I${directory})
  execute_process(COMMAND ${directory}/fits OUTPUT_FILE ${directory}/fits.txt COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE templates ${livens_root}/kernels/*.in)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${templates})
endfunction()

# Tables of its own for a program that is to hold these units and instruction sets alone, on the CPU and on CUDA: they
# stand before those in the archives, which are then not taken.
function(livens_hold_only target units isas)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${target}_tables)
  foreach(table registry cuda_registry)
    livens_call_units(${table} --directory ${directory} --units ${livens_units_file} --isas ${isas} --only ${units})
    target_sources(${target} PRIVATE ${directory}/${table}.cpp)
  endforeach()
endfunction()

# The class of a system: four_particle, FourParticle.
macro(livens_class_name system result)
  set(${result} ${livens_class_of_${system}})
endmacro()

# CMake before 3.26 does not know that nvcc knows C++20. To be called in the directory of the target.
macro(livens_enable_cuda_cxx20)
  # What nvcc passes to g++, which has the launches of kernels to compile. The device's code has its own level.
  if(LIVENS_FAST_BUILD)
    string(REPLACE "-O3" "-O1" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
  endif()
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
    -Xcudafe=--max_cost_constexpr_call=100000000)
  if(LIVENS_CUDA_LINES)
    target_compile_options(${target} PRIVATE -lineinfo)
  endif()
  # Lines make an object three times as large, and this makes it smaller than it was without them. It takes long, which a
  # fast build without lines has no need of: its objects are as large as those with lines.
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.8)
    if(LIVENS_FAST_BUILD AND NOT LIVENS_CUDA_LINES)
      target_compile_options(${target} PRIVATE --compress-mode=balance)
    else()
      target_compile_options(${target} PRIVATE --compress-mode=size)
    endif()
  endif()
endfunction()
