#pragma once
#include "engine/text/stack_counts.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
namespace dscope::text::gecko {
using Cells = std::vector<std::int64_t>;

/// What a row says; nothing where it is not there, or null.
inline std::optional<std::size_t> cellOf(const Cells& cells, std::size_t row)
{
    return row < cells.size() && cells[row] >= 0 ? std::optional(static_cast<std::size_t>(cells[row])) : std::nullopt;
}
template <typename T> const T* rowOf(const std::vector<T>& of, std::optional<std::size_t> row)
{
    return row && *row < of.size() ? &of[*row] : nullptr;
}

/// A library of a profile. Addresses of raw profiles are those of the process.
struct Lib {
    std::string name;
    std::int64_t start = 0, end = 0;
};

/// The tables of stacks, of a thread or of all. Source: firefox-devtools/profiler, docs-developer/CHANGELOG-formats.md, versions 1 to 70 of
/// processed profiles and 3 to 36 of raw ones.
struct Tables {
    std::vector<std::string> strings;
    Cells stackFrame, stackPrefix, stackOffset; ///< offset: to the caller, since version 66
    Cells frameFunc, frameLine, frameCategory, frameSubcategory, frameAddress, frameDepth, frameLib;
    Cells frameLocation, frameImplementation; ///< of raw profiles; of old ones
    Cells funcName, funcFile, funcSource, funcLine, funcResource;
    Cells resourceLib, sourceFile;
    std::vector<Lib> libs;
};
/// Tables that a thread lacks are taken from the profile.
void takeMissing(Tables& own, const Tables& all);
/// Categories of frames, each with what divides it.
using Categories = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// What a frame is, before it is numbered.
struct Frame {
    std::string name, module, file;
    std::int64_t line = 0;
    record::Frame::Kind kind = record::Frame::Kind::Unknown;
    bool inlined = false;
    StackCounts::Frame typed() const
    {
        const bool hasLine = !file.empty() && line > 0 && line <= INT32_MAX;
        return {name, kind, inlined, module, file, hasLine ? static_cast<std::uint32_t>(line) : 0};
    }
};
Frame frameOf(std::size_t frame, const Tables& tables, const Categories& categories);
} // namespace dscope::text::gecko
