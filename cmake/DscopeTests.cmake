# Layers that read bytes others wrote: files of programs, recordings, other tools' output, programs of users, the kernel's own tables.
# There a wrong index or an end that is missed is likeliest, so their tests are the ones that run under sanitizers.
set(DSCOPE_SANITIZED_LAYERS engine/base engine/text engine/importers engine/demangle engine/symbols engine/record engine/decode engine/remote engine/host engine/syntax engine/types)

# Whether this build has the test of `file`, whose first lines are `head`: dscope_tests tells the rules.
function(dscope_has_test out file head)
  set(${out} ON PARENT_SCOPE)
  if(file MATCHES "^tests/gui/" AND NOT DSCOPE_GUI)
    set(${out} OFF PARENT_SCOPE)
  endif()
  dscope_words(programs "needs-programs" "${head}")
  foreach(program ${programs})
    if(NOT TARGET ${program})
      set(${out} OFF PARENT_SCOPE)    # a build without the desktop app has no tests of it
    endif()
  endforeach()
  cmake_path(GET file PARENT_PATH folder)
  string(REGEX REPLACE "^tests/" "" layer "${folder}")
  set(reads OFF)
  if(layer IN_LIST DSCOPE_SANITIZED_LAYERS AND NOT programs)
    set(reads ON)
  endif()
  if(DSCOPE_SANITIZE)
    if(head MATCHES "// not-sanitized: " OR (DSCOPE_TEST_ONCE AND NOT reads AND NOT head MATCHES "// sanitized: "))
      set(${out} OFF PARENT_SCOPE)
    endif()
  elseif(DSCOPE_TEST_ONCE AND reads AND NOT head MATCHES "// (not-sanitized|plain): ")
    set(${out} OFF PARENT_SCOPE)
  endif()
endfunction()

# What follows `// <key>: ` in a file's first lines, as a list of words.
function(dscope_words out key head)
  set(words "")
  foreach(line ${head})
    if(line MATCHES "^// ${key}: (.*)$")
      string(REPLACE " " ";" words "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set(${out} "${words}" PARENT_SCOPE)
endfunction()

# dscope_tests(<path/tst_name.cpp>...)   Qt Tests, off screen; each is a test of CTest and a process of its own.
#
# The tests of a folder are one executable, <build>/tests/of_<folder>, and <build>/tests/tst_name is a link to it, which runs that
# test: to link one executable takes as long as to link one test. `// alone: why` in a test's first lines gives it an executable of
# its own. Several files are compiled as one, each in a namespace (dscope_together_in_namespaces): most of a test's time was to read headers.
#
# tests/<layer>/tst_x.cpp is linked with the layer it mirrors; a first line `// needs: <layer> ...` adds others.
# `// needs-programs: dscope` makes it run after those executables are built and hands over where they are.
# `// uses: <target>` links a library from outside that only tests need.
# `// serial: why` lets nothing run beside it: what it counts is of the whole machine.
# `// not-sanitized: why` leaves it out of builds with sanitizers, for time.
# With DSCOPE_TEST_ONCE it is in one build alone: a test of a layer that reads what others wrote (DSCOPE_SANITIZED_LAYERS) where there
# are sanitizers, any other where there are none. `// sanitized: what` puts a test of the second kind in both, `// plain: why` one of the first.
# -DDSCOPE_TESTS_TOGETHER=OFF: each test is an executable, compiled alone, for tools that want a command for each file.
function(dscope_tests)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_custom_target(tests_of_this_build)    # and what they are made of, without programs that none of them runs
  file(STRINGS ${PROJECT_SOURCE_DIR}/tests/slow slow REGEX "^[a-z]")
  set_property(GLOBAL PROPERTY DSCOPE_SLOW_TESTS ${slow})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/slow)
  set(folders "")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN}) # what they need and include is read here
  foreach(file ${ARGN})
    file(STRINGS ${PROJECT_SOURCE_DIR}/${file} head LIMIT_COUNT 5)
    dscope_has_test(here ${file} "${head}")
    if(NOT here)
      continue()
    endif()
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET file STEM name)
    if(head MATCHES "// alone: " OR NOT DSCOPE_TESTS_TOGETHER)
      dscope_test_program(${name} ${folder} ${file})
    else()
      list(APPEND folders ${folder})
      list(APPEND in_${folder} ${file})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    string(REGEX REPLACE "^tests/" "of_" name "${folder}")
    string(REPLACE "/" "_" name "${name}")
    dscope_test_program(${name} ${folder} ${in_${folder}})
  endforeach()
endfunction()

# One executable of tests of one folder.
function(dscope_test_program program folder)
  set(depends "")
  string(REGEX REPLACE "^tests/?" "" layer "${folder}")
  string(REPLACE "/" "_" own "dscope_${layer}")
  if(TARGET ${own})
    list(APPEND depends ${own})
  endif()
  set(outside "")
  set(needed "")
  set(asks OFF)
  set(mocs "")
  foreach(file ${ARGN})
    file(STRINGS ${PROJECT_SOURCE_DIR}/${file} head LIMIT_COUNT 5)
    dscope_needs(more ${file})
    list(APPEND depends ${more})
    dscope_words(more "uses" "${head}")
    list(APPEND outside ${more})
    dscope_words(more "needs-programs" "${head}")
    if(more)
      list(APPEND needed ${more} workloads)
    endif()
    file(READ ${PROJECT_SOURCE_DIR}/${file} text)
    if(text MATCHES "\"tests/support/drawn/")
      list(APPEND depends dscope_tests_support_drawn)
    endif()
    if(text MATCHES "DSCOPE_SOURCE|DSCOPE_BIN|DSCOPE_PROGRAMS|TEST_DATA|run_dscope.h|support/counts.h")
      set(asks ON)
    endif()
    # One moc each, without what it includes: AUTOMOC's scan and its extra object cost each test a second.
    cmake_path(GET file STEM name)
    set(moc ${PROJECT_BINARY_DIR}/moc/${name}.moc)
    add_custom_command(OUTPUT ${moc} COMMAND Qt6::moc -o ${moc} ${PROJECT_SOURCE_DIR}/${file} DEPENDS ${file} VERBATIM)
    list(APPEND mocs ${moc})
  endforeach()
  list(REMOVE_DUPLICATES depends)
  list(REMOVE_DUPLICATES outside)
  list(REMOVE_DUPLICATES needed)
  if(IS_SYMLINK ${PROJECT_BINARY_DIR}/tests/${program})
    file(REMOVE ${PROJECT_BINARY_DIR}/tests/${program}) # of the time when it shared one: the linker would write through it
  endif()
  dscope_in_namespaces(sources ${program} ${ARGN})
  add_executable(${program} ${sources} ${mocs})
  # A failed check names tests/x/tst_y.cpp, not the way there from the generated file; ccache makes that relative to the build.
  file(RELATIVE_PATH up ${PROJECT_BINARY_DIR}/generated/tests ${PROJECT_SOURCE_DIR})
  set(way generated/tests/${up})
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(way ${PROJECT_BINARY_DIR}/${way})
  endif()
  target_compile_options(${program} PRIVATE -fmacro-prefix-map=${way}=)
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(${program} PRIVATE ${PROJECT_BINARY_DIR}/moc)
  # Absolute paths on the command line keep ccache from knowing an object of another clone: only the tests that ask for
  # a path get it, and Qt6::Test's own two are left out.
  if(NOT folder MATCHES "^tests/gui") # whose headers are read as the window's
    target_link_libraries(${program} PRIVATE dscope_test_flags)
  endif()
  target_link_libraries(${program} PRIVATE dscope_flags dscope_tests_support Qt6::Core $<LINK_ONLY:Qt6::Test> ${depends} ${outside})
  if(NOT DSCOPE_TEST_LINES)
    # Not by the linker: mold's --strip-debug takes the names of functions, too.
    add_custom_command(TARGET ${program} POST_BUILD COMMAND ${CMAKE_STRIP} --strip-debug $<TARGET_FILE:${program}> VERBATIM)
    # Each check of a sanitizer has data with addresses: relocations are a third of such a test.
    if(DSCOPE_SANITIZE)
      target_link_options(${program} PRIVATE -no-pie)
    endif()
  endif()
  dscope_see_all(${program} dscope_tests_support ${depends})
  add_dependencies(tests_of_this_build ${program})
  target_include_directories(${program} SYSTEM PRIVATE $<TARGET_PROPERTY:Qt6::Test,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(${program} PRIVATE QT_TESTLIB_LIB)
  dscope_reads_once(${program} ${folder}/)
  if(asks)
    target_compile_definitions(${program} PRIVATE
      DSCOPE_SOURCE="${PROJECT_SOURCE_DIR}" TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data" DSCOPE_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
      DSCOPE_PROGRAMS="${PROJECT_BINARY_DIR}/programs")
  endif()
  if(needed)
    add_dependencies(${program} ${needed})
  endif()
  foreach(file ${ARGN})
    dscope_one_test(${program} ${file})
  endforeach()
endfunction()

# What CTest knows of one test, and its name for whoever builds or runs it alone.
function(dscope_one_test program file)
  cmake_path(GET file STEM name)
  if(NOT program STREQUAL name)
    file(CREATE_LINK ${program} ${PROJECT_BINARY_DIR}/tests/${name} SYMBOLIC)
    add_custom_target(${name} DEPENDS ${program})
  endif()
  add_test(NAME ${name} COMMAND ${PROJECT_BINARY_DIR}/tests/${name})
  set(most 300) # seconds
  if(DSCOPE_SANITIZE)
    set(most 900)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${most} ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;LANG=C.UTF-8;LANGUAGE=;TZ=UTC")
  file(READ ${PROJECT_SOURCE_DIR}/${file} text)
  get_property(slow GLOBAL PROPERTY DSCOPE_SLOW_TESTS)
  if(name IN_LIST slow)
    set_tests_properties(${name} PROPERTIES LABELS slow)
  endif()
  if(text MATCHES "(^|\n)// serial: ")
    set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()

# The sources of an executable of tests: `list` becomes files that each have up to eight tests (one without DSCOPE_UNITY), every
# test in a namespace of its name, whose main() is testMain() there; and one with the executable's main(), which knows all of them. What the tests
# include comes first, outside of the namespaces. A test whose includes depend
# on the machine, or follow code, must be alone.
function(dscope_in_namespaces list program)
  set(folder ${PROJECT_BINARY_DIR}/generated/tests)
  if(ARGC EQUAL 3 AND ARGV2 MATCHES "/${program}.cpp$")
    set(${list} ${PROJECT_SOURCE_DIR}/${ARGV2} PARENT_SCOPE)
    return()
  endif()
  set(most 8)
  if(NOT DSCOPE_UNITY)
    set(most 1)
  endif()
  set(made "")
  set(declared "")
  set(rows "")
  set(includes "")
  set(bodies "")
  set(count 0)
  foreach(file ${ARGN})
    cmake_path(GET file STEM name)
    cmake_path(GET file PARENT_PATH own)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${file} lines REGEX "^#[ ]*include ")
    foreach(line ${lines})
      string(REGEX REPLACE "^#[ ]*include +[<\"]([^>\"]*)[>\"].*$" "\\1" header "${line}")
      if(header MATCHES "\\.moc$")
        continue()
      elseif(EXISTS ${PROJECT_SOURCE_DIR}/${own}/${header})
        file(RELATIVE_PATH header ${folder} ${PROJECT_SOURCE_DIR}/${own}/${header})
        list(APPEND includes "#include \"${header}\"")
      elseif(line MATCHES "<")
        list(APPEND includes "#include <${header}>")
      else()
        list(APPEND includes "#include \"${header}\"")
      endif()
    endforeach()
    file(RELATIVE_PATH path ${folder} ${PROJECT_SOURCE_DIR}/${file})
    string(APPEND bodies "namespace ${name} {\n#include \"${path}\"\n}\n")
    string(APPEND declared "namespace ${name} {\nint testMain(int argc, char** argv);\n}\n")
    string(APPEND rows "    {\"${name}\", ${name}::testMain},\n")
    math(EXPR count "${count} + 1")
    math(EXPR left "${count} % ${most}")
    if(left EQUAL 0)
      dscope_write_tests(${folder}/${program}_${count}.cpp "${includes}" "${bodies}")
      list(APPEND made ${folder}/${program}_${count}.cpp)
      set(includes "")
      set(bodies "")
    endif()
  endforeach()
  if(bodies)
    dscope_write_tests(${folder}/${program}_last.cpp "${includes}" "${bodies}")
    list(APPEND made ${folder}/${program}_last.cpp)
  endif()
  file(CONFIGURE OUTPUT ${folder}/${program}.cpp @ONLY CONTENT
"// Generated by cmake/DscopeTests.cmake.
#include \"tests/support/one_of_many.h\"
${declared}
int main(int argc, char** argv)
{
    static const dscope::tests::OneOfMany kAll[] = {
${rows}    };
    return dscope::tests::runOneOf(kAll, argc, argv);
}
")
  set(${list} ${made} ${folder}/${program}.cpp PARENT_SCOPE)
endfunction()

function(dscope_write_tests file includes bodies)
  list(REMOVE_DUPLICATES includes)
  string(REPLACE ";" "\n" includes "${includes}")
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
"// Generated by cmake/DscopeTests.cmake.
${includes}
#define main(...) testMain(__VA_ARGS__)
${bodies}")
endfunction()
