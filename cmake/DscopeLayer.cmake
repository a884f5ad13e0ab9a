# dscope_layer(<path> [UNITY] [DEPENDS <layer>...] [TABLES <layer>...] [USES <external target>...] [SOURCES <generated>...])
#
# One folder is one static library `dscope_<path with _>`. A layer's headers are reached only through a directory of
# links of its own (its view: <build>/include/<layer>/<path>/<header>). A layer is compiled with its own view and those of
# its DEPENDS and no others, so that including a header of a layer that is not in DEPENDS does not compile, neither
# directly nor by way of another header. TABLES are linked, and not seen. tests/layers.cmake rejects the one way around it,
# `#include "../`, and a dependency that is declared and not used. UNITY: see dscope_together.
function(dscope_layer path)
  cmake_parse_arguments(L "UNITY" "" "DEPENDS;TABLES;USES;SOURCES" ${ARGN})
  string(REPLACE "/" "_" name "dscope_${path}")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${path}/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${path}/*.h)
  dscope_targets(depends ${L_DEPENDS})
  dscope_targets(tables ${L_TABLES})
  if(L_UNITY)
    dscope_together(sources ${name})
  endif()
  if(sources OR L_SOURCES)
    add_library(${name} STATIC ${sources} ${headers} ${L_SOURCES})
    target_link_libraries(${name} PRIVATE dscope_flags ${L_USES} PUBLIC ${depends} ${tables})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${L_USES} ${depends} ${tables})
  endif()
  if(sources OR L_SOURCES)
    dscope_reads_once(${name} ${path})
  endif()
  dscope_see(${name} ${path} ${depends})
  dscope_note(${path} "${L_DEPENDS}")
  if(NOT path MATCHES "^(gui|tests)")
    set_property(GLOBAL APPEND PROPERTY DSCOPE_LIBRARY_LAYERS ${path})
  endif()
endfunction()

# dscope_read_once(<target> <header>...)   a target whose precompiled headers others reuse: they must be compiled as it is.
function(dscope_read_once name)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${name}.cpp CONTENT "" @ONLY)
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
  target_link_libraries(${name} PRIVATE dscope_flags)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# dscope_reads_once(<target> <path>)   with DSCOPE_PCH, the target reads those of its folder.
function(dscope_reads_once name path)
  set(from standard_headers)
  if(path MATCHES "^(tests/)?gui")
    set(from window_headers)
  elseif(path MATCHES "^tests/")
    set(from tests_headers)
  endif()
  if(TARGET ${from})
    target_precompile_headers(${name} REUSE_FROM ${from})
  endif()
endfunction()

# dscope_alone(<file>...)   these are compiled by themselves.
function(dscope_alone)
  set_property(GLOBAL APPEND PROPERTY DSCOPE_ALONE ${ARGN})
endfunction()

# With DSCOPE_UNITY, a dozen files of a large layer are compiled as one, which takes a quarter of the time: `list` becomes
# those. Names in unnamed namespaces then have to differ within a layer. Paths are relative, so that clones share ccache's objects.
function(dscope_together list name)
  if(NOT DSCOPE_UNITY)
    return()
  endif()
  set(folder ${PROJECT_BINARY_DIR}/generated/unity)
  set(made "")
  set(text "")
  set(count 0)
  get_property(alone GLOBAL PROPERTY DSCOPE_ALONE)
  foreach(source ${${list}})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    if(path IN_LIST alone)
      list(APPEND made ${source})
      continue()
    endif()
    file(RELATIVE_PATH path ${folder} ${source})
    string(APPEND text "#include \"${path}\"\n")
    math(EXPR count "${count} + 1")
    math(EXPR left "${count} % 12")
    if(left EQUAL 0)
      list(APPEND made ${folder}/${name}_${count}.cpp)
      file(CONFIGURE OUTPUT ${folder}/${name}_${count}.cpp @ONLY CONTENT "${text}")
      set(text "")
    endif()
  endforeach()
  if(text)
    list(APPEND made ${folder}/${name}_last.cpp)
    file(CONFIGURE OUTPUT ${folder}/${name}_last.cpp @ONLY CONTENT "${text}")
  endif()
  set(${list} "${made}" PARENT_SCOPE)
endfunction()

# dscope_program(<target> <path> [UNITY] [DEPENDS <layer>...] [TABLES <layer>...] [USES <external target>...])   the same for an
# executable.
function(dscope_program name path)
  cmake_parse_arguments(L "UNITY" "" "DEPENDS;TABLES;USES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${path}/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${path}/*.h)
  dscope_targets(depends ${L_DEPENDS})
  dscope_targets(tables ${L_TABLES})
  if(L_UNITY)
    dscope_together(sources ${name})
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE dscope_flags ${depends} ${tables} ${L_USES})
  dscope_reads_once(${name} ${path})
  dscope_see(${name} ${path} ${depends})
  dscope_note(${path} "${L_DEPENDS}")
  install(TARGETS ${name} COMPONENT ${name})
endfunction()

# The targets of these layers.
function(dscope_targets out)
  set(targets ${ARGN})
  list(TRANSFORM targets REPLACE "/" "_")
  list(TRANSFORM targets PREPEND "dscope_")
  set(${out} "${targets}" PARENT_SCOPE)
endfunction()

# Makes the view of the headers in `path`, and lets `target` see it and the views of the layers named behind it.
function(dscope_see target path)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${path}/*.h)
  set(view ${PROJECT_BINARY_DIR}/include/${target})
  file(MAKE_DIRECTORY ${view}/${path})
  foreach(header ${headers})
    cmake_path(GET header FILENAME file)
    file(CREATE_LINK ${header} ${view}/${path}/${file} SYMBOLIC)
  endforeach()
  set(views ${view})
  set(all ${view})
  foreach(layer ${ARGN})
    get_target_property(one ${layer} DSCOPE_VIEW)
    get_target_property(more ${layer} DSCOPE_ALL_VIEWS)
    list(APPEND views ${one})
    list(APPEND all ${more})
  endforeach()
  list(REMOVE_DUPLICATES all)
  set_target_properties(${target} PROPERTIES DSCOPE_VIEW ${view} DSCOPE_ALL_VIEWS "${all}")
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL INTERFACE_LIBRARY)
    target_include_directories(${target} PRIVATE ${views})
  endif()
endfunction()

# Tests and fuzz targets see these layers and all that they stand on.
function(dscope_see_all target)
  foreach(layer ${ARGN})
    get_target_property(views ${layer} DSCOPE_ALL_VIEWS)
    target_include_directories(${target} PRIVATE ${views})
  endforeach()
endfunction()

# For tests/layers.cmake: a line `<path>: <layer>,<layer>...` each.
function(dscope_note path depends)
  string(REPLACE ";" "," depends "${depends}")
  set_property(GLOBAL APPEND PROPERTY DSCOPE_LAYERS "${path}: ${depends}")
endfunction()

# Stems of the .cpp files in a folder, sorted; `first` leads when it is among them.
function(dscope_stems out path first)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${path}/*.cpp)
  set(stems "")
  foreach(f ${files})
    cmake_path(GET f STEM stem)
    list(APPEND stems ${stem})
  endforeach()
  list(SORT stems)
  if(first IN_LIST stems)
    list(REMOVE_ITEM stems ${first})
    list(PREPEND stems ${first})
  endif()
  set(${out} "${stems}" PARENT_SCOPE)
endfunction()

# dscope_table(<out> <path> <type> <header> [FIRST <stem>] [LIBRARIES])
#
# Lists everything in a plug-in folder in one generated file, in alphabetical order: <path>/foo.cpp defines
# `std::unique_ptr<type> make_foo()` in dscope::<last folder>. With LIBRARIES, a foo.d next to it is embedded and handed
# over as a D library. No static initialisers: a static library drops nothing and no order means something.
function(dscope_table out path type header)
  cmake_parse_arguments(T "LIBRARIES" "FIRST" "" ${ARGN})
  dscope_stems(stems ${path} "${T_FIRST}")
  set(decls "")
  set(calls "")
  foreach(stem ${stems})
    string(APPEND decls "std::unique_ptr<${type}> make_${stem}();\n")
    string(APPEND calls "    all.push_back(make_${stem}());\n")
  endforeach()
  cmake_path(GET path FILENAME ns)
  set(libraries "")
  if(T_LIBRARIES)
    file(GLOB dlibs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${path}/*.d)
    set(texts "")
    foreach(d ${dlibs})
      cmake_path(GET d FILENAME file)
      file(READ ${d} text)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${d})
      string(APPEND texts "    {\"${file}\", R\"dlib(${text})dlib\"},\n")
    endforeach()
    list(LENGTH dlibs count)
    set(libraries "std::span<const DLibrary> libraries()
{
    static constexpr std::array<DLibrary, ${count}> kAll{{
${texts}    }};
    return kAll;
}
")
  endif()
  set(file ${PROJECT_BINARY_DIR}/generated/${ns}_table.cpp)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
"// Generated from the files in ${path}/ by cmake/DscopeLayer.cmake.
#include \"${header}\"
#include <array>
namespace dscope::${ns} {
${decls}
std::vector<std::unique_ptr<${type}>> all()
{
    std::vector<std::unique_ptr<${type}>> all;
${calls}    return all;
}
${libraries}}
")
  set(${out} ${file} PARENT_SCOPE)
endfunction()

# dscope_kinds(<out> <path>)   the same for graph/models: <path>/foo.cpp defines `Kind kind_foo()` in dscope::graph.
function(dscope_kinds out path)
  dscope_stems(stems ${path} "")
  set(decls "")
  set(calls "")
  foreach(stem ${stems})
    string(APPEND decls "Kind kind_${stem}();\n")
    string(APPEND calls "    all.push_back(kind_${stem}());\n")
  endforeach()
  set(file ${PROJECT_BINARY_DIR}/generated/kinds.cpp)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
"// Generated from the files in ${path}/ by cmake/DscopeLayer.cmake.
#include \"graph/visual.h\"
#include <algorithm>
#include <vector>
namespace dscope::graph {
${decls}
std::vector<Kind> kinds()
{
    std::vector<Kind> all;
${calls}    std::sort(all.begin(), all.end(), [](const Kind& a, const Kind& b) { return a.rank != b.rank ? a.rank < b.rank : a.name < b.name; });
    return all;
}
}
")
  set(${out} ${file} PARENT_SCOPE)
endfunction()

# The targets of the layers that `// needs: <layer> ...` names in a file's first lines.
function(dscope_needs out file)
  file(STRINGS ${PROJECT_SOURCE_DIR}/${file} head LIMIT_COUNT 4)
  set(targets "")
  foreach(line ${head})
    if(line MATCHES "^// needs: (.*)$")
      string(REPLACE " " ";" layers "${CMAKE_MATCH_1}")
      list(TRANSFORM layers REPLACE "/" "_")
      list(TRANSFORM layers PREPEND "dscope_")
      list(APPEND targets ${layers})
    endif()
  endforeach()
  set(${out} "${targets}" PARENT_SCOPE)
endfunction()
