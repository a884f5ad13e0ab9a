cmake_minimum_required(VERSION 3.25)
# -DROOT=<sources>
#
# Holds what no compiler sees: that facts stay typed until a figure or a file is written.
# - Folded stacks are taken apart where they are read, and nowhere else.
# - No view is known by its name outside of its own file.
# - What the helper prints on standard error is shown and not read.
# - Every option that is asked for is in the table of options.
# Each promise first proves that it can be broken, on a line that breaks it.
file(GLOB_RECURSE files ${ROOT}/engine/*.h ${ROOT}/engine/*.cpp ${ROOT}/providers/*.h ${ROOT}/providers/*.cpp ${ROOT}/graph/*.h
                        ${ROOT}/graph/*.cpp ${ROOT}/exporters/*.h ${ROOT}/exporters/*.cpp ${ROOT}/exporters/*.js ${ROOT}/gui/*.h ${ROOT}/gui/*.cpp
                        ${ROOT}/cli/*.h ${ROOT}/cli/*.cpp)

# broken(<lines> <file> <regex>): the lines of the file that match. CMake's lists end at ';' and '[', which become other letters.
function(broken out file regex)
  file(READ ${file} text)
  breaks(found "${text}" "${regex}")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
function(breaks out text regex)
  string(REPLACE ";" "\\semicolon" text "${text}")
  string(REPLACE "[" "(" text "${text}")
  string(REPLACE "]" ")" text "${text}")
  set(${out} "" PARENT_SCOPE)
  if(NOT text MATCHES "${regex}") # nearly always, and found out much sooner than which line it is
    return()
  endif()
  string(REGEX MATCHALL "[^\n]*(${regex})[^\n]*" found "${text}")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
function(can_be_broken regex line)
  breaks(found "${line}" "${regex}")
  if(NOT found)
    message(SEND_ERROR "tests/promises.cmake: ${regex} does not see ${line}")
  endif()
endfunction()

# -- Stacks. A stack that is looked for ';' is one that was joined before.
set(splits "(find|rfind|find_first_of|find_last_of|memchr|strchr|indexOf|lastIndexOf|split|section|getline|tokenize)\\([^\n]*['\"]\\\\semicolon[ ]?['\"]|[!=]==? ?'\\\\semicolon'|'\\\\semicolon' ?[!=]=|case '\\\\semicolon'")
set(readers "kFrameSeparator|takeFrame\\(|eachFrame\\(|lastFrame\\(|record::framesOf\\(")
can_be_broken("${splits}" "const auto end = stack.find(';', at);")
can_be_broken("${splits}" "const parts = key.split(';');")
can_be_broken("${splits}" "path.split(QStringLiteral(\";\"))")
can_be_broken("${splits}" "for (const char c : stack) if (c == ';') cut();")
can_be_broken("${splits}" "case ';': cut(); break;")
can_be_broken("${readers}" "record::eachFrame(stack, [&](std::string_view word) {")
# The reader and the writer of folded text, which also read the paths that --focus and a figure's keys are.
# The importers that are named beside folded.cpp read samplers whose lines are folded text with more in them.
set(folded engine/record/folded.h engine/record/folded.cpp engine/record/counted_stacks.cpp engine/importers/folded.cpp graph/stack_steps.cpp
           engine/importers/austin.cpp engine/importers/dtrace.cpp engine/importers/freebsd_json.cpp engine/importers/py_spy.cpp
           engine/importers/rbspy.cpp)
set(focus graph/models/flame.cpp graph/models/disassembly.cpp graph/models/sandwich.cpp graph/models/source.cpp graph/parts/flame_data.cpp)
# Where ';' ends something else: a member's type in tracefs, an entity of XML or DOT, a spelling of the Java machine, a unit's other
# names; a statement of D.
set(others engine/probe/tracefs.cpp engine/text/drawn_stacks.cpp exporters/dot.cpp graph/names/function_name.cpp graph/units.cpp
           engine/syntax/lexer.cpp engine/tracer/preprocess.cpp)

# -- Views.
set(names "")
file(GLOB models ${ROOT}/graph/models/*.cpp ${ROOT}/graph/models/*.h)
foreach(f ${models})
  file(READ ${f} text)
  string(REGEX MATCHALL "\\.name = \"[a-z-]+\",[ \n]*\\.tab = \"" facts "${text}")
  foreach(fact ${facts})
    string(REGEX REPLACE "^.*name = \"([a-z-]+)\".*$" "\\1" name "${fact}")
    list(APPEND names ${name})
  endforeach()
endforeach()
list(LENGTH names count)
if(count LESS 10)
  message(SEND_ERROR "tests/promises.cmake finds only ${count} views: ${names}")
endif()
list(JOIN names "|" names)
set(compares "[!=]==? *[A-Za-z_:]*[({]?\"(${names})\"|\"(${names})\"[)}]? *[!=]=|case \"(${names})\"|kind === ?\"(${names})\"")
can_be_broken("${compares}" "if (visual.name() == \"flame\") return;")
can_be_broken("${compares}" "if (name != QStringLiteral(\"call-graph\"))")
can_be_broken("${compares}" "return QLatin1String(\"table\") == name;")
can_be_broken("${compares}" "if (view === \"icicle\")")
can_be_broken("${compares}" "if (visual.name() == std::string_view{\"flame\"}) return;")

# -- The helper's messages. Who reads them reads them by lines, and by nothing else.
set(stderr_of "readAllStandardError|readyReadStandardError|ProcessChannel|StandardError")
set(expressions "QRegularExpression|std::regex|QRegExp|regcomp|startsWith\\(|indexOf\\(\"")
can_be_broken("${expressions}" "static const QRegularExpression kLine(")
# Where the lines are kept to be shown.
set(reads_errors "(${expressions})[^\n]*m_errors|m_errors[^\n]*(${expressions})|m_errors\\.(split|indexOf|section|mid|contains)\\(")
can_be_broken("${reads_errors}" "const auto place = QRegularExpression(line).match(m_errors);")
can_be_broken("${reads_errors}" "for (const auto& line : m_errors.split(QChar('\\n')))")

# -- Options. An option that nobody has would be found out only when that line runs.
file(READ ${ROOT}/engine/options/table.cpp text)
string(REGEX MATCHALL "Row{[ \n]*\\.name = \"[a-z_]+\"" options "${text}")
list(TRANSFORM options REPLACE "^.*\"([a-z_]+)\"$" "\\1")
list(LENGTH options count)
if(count LESS 80)
  message(SEND_ERROR "tests/promises.cmake finds only ${count} options: ${options}")
endif()
set(asked "ptions(\\(\\))?\\.(number|flag|isSet|text)\\(\"[a-z_]+\"\\)")
can_be_broken("${asked}" "if (m_program.options.isSet(\"maxframes\")) {")

foreach(f ${files})
  cmake_path(RELATIVE_PATH f BASE_DIRECTORY ${ROOT} OUTPUT_VARIABLE path)
  if(NOT path IN_LIST folded AND NOT path IN_LIST others)
    broken(found ${f} "${splits}")
    if(found)
      message(SEND_ERROR "${path}: ${found}: take stacks from graph::Stacks; engine/record/folded.h is where folded text is taken apart")
    endif()
  endif()
  if(NOT path IN_LIST folded AND NOT path IN_LIST focus)
    broken(found ${f} "${readers}")
    if(found)
      message(SEND_ERROR "${path}: ${found}: take stacks from graph::Stacks, not from folded text")
    endif()
  endif()
  broken(found ${f} "${compares}")
  if(found)
    message(SEND_ERROR "${path}: ${found}: a view is not known by its name; what is true of a kind is in graph::ViewFacts")
  endif()
  file(READ ${f} text)
  string(REGEX MATCHALL "${asked}" found "${text}")
  foreach(option ${found})
    string(REGEX REPLACE "^.*\"([a-z_]+)\".*$" "\\1" option "${option}")
    if(NOT option IN_LIST options)
      message(SEND_ERROR "${path}: asks for option ${option}, which engine/options/table.cpp does not have")
    endif()
  endforeach()
  if(path MATCHES "^gui/")
    broken(reads ${f} "${stderr_of}")
    broken(found ${f} "${expressions}")
    broken(read ${f} "${reads_errors}")
    if(read OR (reads AND found))
      message(SEND_ERROR "${path}: ${found}${read}: the helper's diagnostics are records of its stream (record::Diagnostic)")
    endif()
  endif()
endforeach()
