# The translation units and tables of kernels, generated from names. livens itself is built with these functions, and so
# is a program that adds systems and schemes of its own (livens_program.cmake).
#
# livens_root: the directory that holds kernels/.

option(LIVENS_LOWER_PRECISION "Compile mixed and single precision as well" ON)

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
  configure_file(${livens_root}/kernels/schemes/all.hpp.in ${output} @ONLY)
endfunction()

# <directory>/cpu_<unit>_<isa>.cpp, which defines the function of that name, the system of a header with the schemes of
# another for one instruction set, and lower_<unit>_<isa>.cpp, the same in lower precision. Appends to the list `sources`.
function(livens_write_cpu_unit directory unit isa system_header schemes_header)
  livens_class_name(${system_header} class)
  foreach(part cpu_system:cpu cpu_lower:lower)
    string(REGEX MATCH "(.*):(.*)" part ${part})
    set(source ${directory}/${CMAKE_MATCH_2}_${unit}_${isa}.cpp)
    configure_file(${livens_root}/kernels/backends/cpu/${CMAKE_MATCH_1}.cpp.in ${source} @ONLY)
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${livens_flags_${isa}}")
    list(APPEND sources ${source})
  endforeach()
  set(sources ${sources} PARENT_SCOPE)
endfunction()

# <directory>/registry.cpp: the table of all pairs of these units, and of the schemes that the headers describe;
# `schemes_header` includes those. Appends to the list `sources`.
function(livens_write_registry directory units isas schemes_header headers)
  set(declarations "")
  set(plain_tables "")
  set(avx2_tables "")
  set(avx512_tables "")
  foreach(unit IN LISTS units)
    foreach(isa IN LISTS isas)
      string(APPEND declarations "CompiledSystem cpu_${unit}_${isa}();\n")
      string(APPEND ${isa}_tables "        t.add(cpu_${unit}_${isa}());\n")
    endforeach()
  endforeach()
  set(scheme_infos "")
  livens_describing(describing ${headers})
  foreach(header IN LISTS describing)
    livens_class_name(${header} class)
    string(APPEND scheme_infos "&${class}Description::info, ")
  endforeach()
  configure_file(${livens_root}/kernels/backends/registry.cpp.in ${directory}/registry.cpp @ONLY)
  list(APPEND sources ${directory}/registry.cpp)
  set(sources ${sources} PARENT_SCOPE)
endfunction()

# CMake before 3.26 does not know that nvcc knows C++20. To be called in the directory of the target.
macro(livens_teach_cuda_20)
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
endmacro()

# What every compilation of kernels needs.
function(livens_kernel_options target)
  # Contraction off: fusion is written out, which is what makes results equal to the bit on every backend.
  target_compile_options(${target} PUBLIC $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
  # g++ 12 warns inside its own avx512fintrin.h (GCC bug 105593).
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-uninitialized$<SEMICOLON>-Wno-maybe-uninitialized>)
endfunction()

# As livens_write_cpu_unit(), for CUDA: <directory>/cuda_<unit>.cu, appended to the list `cuda_sources`.
function(livens_write_cuda_unit directory unit system_header schemes_header)
  livens_class_name(${system_header} class)
  configure_file(${livens_root}/kernels/backends/cuda/cuda_system.cu.in ${directory}/cuda_${unit}.cu @ONLY)
  list(APPEND cuda_sources ${directory}/cuda_${unit}.cu)
  set(cuda_sources ${cuda_sources} PARENT_SCOPE)
endfunction()

# <directory>/cuda_registry.cpp: the table of all pairs of these units. Appends to the list `sources`.
function(livens_write_cuda_registry directory units)
  set(cuda_declarations "")
  set(cuda_tables "")
  foreach(unit IN LISTS units)
    string(APPEND cuda_declarations "CompiledCudaSystem cuda_${unit}();\n")
    string(APPEND cuda_tables "    add(cuda_${unit}());\n")
  endforeach()
  configure_file(${livens_root}/kernels/backends/cuda/cuda_registry.cpp.in ${directory}/cuda_registry.cpp @ONLY)
  list(APPEND sources ${directory}/cuda_registry.cpp)
  set(sources ${sources} PARENT_SCOPE)
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
