#pragma once
#include "engine/text/stack_counts.h"
#include "engine/text/words.h"
#include <limits>
#include <string_view>
/// Frames of Python, Ruby and other languages whose tools name a function by the file that it is in.
namespace dscope::text {
/// The part of a path that tells a script: "threading.py" of "/usr/lib/python3.11/threading.py", "json/__init__.py" where the name alone
/// would be that of many, and all of "<frozen os>", which is no path.
inline std::string_view scriptOf(std::string_view path)
{
    if (path.starts_with('<')) return path;
    const auto slash = path.find_last_of("/\\");
    const auto name = path.substr(slash + 1); // npos + 1 is 0
    if (slash == std::string_view::npos || slash == 0 || !name.starts_with("__")) return name;
    return path.substr(path.find_last_of("/\\", slash - 1) + 1);
}

/// A line of source, from 1; 0 of what is none.
inline std::uint32_t sourceLine(std::string_view digits)
{
    const auto line = isDigits(digits) ? integer(digits).value_or(0) : 0;
    return line > 0 && line <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::uint32_t>(line) : 0;
}

/// A function of a script. Functions of one name in several scripts are several functions, so the script is their module.
inline StackCounts::Frame scriptFrame(std::string_view name, std::string_view file, std::uint32_t line)
{
    return {.name = name, .module = scriptOf(file), .file = file, .line = line};
}

/// A frame of austin, which writes no name that is not ASCII. Without a line `file` is a library; "native@7f90062b63fa" is an address, and
/// its line the distance from the function's begin.
inline StackCounts::Frame austinFrame(std::string_view name, std::string_view file, std::uint32_t line)
{
    if (name.empty()) name = "[unknown]";
    if (file.starts_with("native@")) return {.name = name};
    auto frame = scriptFrame(name, file, line);
    if (line == 0) frame.file = {};
    return frame;
}
} // namespace dscope::text
