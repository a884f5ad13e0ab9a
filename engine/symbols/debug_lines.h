#pragma once
#include "engine/base/fd.h"
#include "engine/record/record.h"
#include "engine/symbols/line_places.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::symbols {
struct DwarfLibrary;
/// A line of source that an address stands for, and the function that it is in.
struct SourcePlace {
    std::string function;             ///< demangled; empty when the debug information does not name it
    record::Shared<std::string> file; ///< with its folder, as far as the debug information tells; empty when not known
    std::uint32_t line = 0;           ///< from 1; 0 when not known
};
/// What the DWARF sections of one file tell of its code: lines and inlined functions. Versions 2 to 5, also split by objcopy, by
/// dwz and by -gsplit-dwarf. What is malformed tells nothing.
class DebugLines {
public:
    /// Gives a file name the form in which it is kept.
    using Intern = std::function<record::Shared<std::string>(const char*)>;
    /// Null if the file has no debug information that can be read. It is copied, not mapped: its owner may truncate it.
    static std::unique_ptr<DebugLines> open(const DwarfLibrary& library, Fd file);
    DebugLines() = default;
    virtual ~DebugLines() = default;
    DebugLines(const DebugLines&) = delete;
    DebugLines& operator=(const DebugLines&) = delete;
    /// Source places of an address: the innermost inlined function first, the containing function last. Empty if unknown.
    /// `address`: as the file is linked.
    virtual std::vector<SourcePlace> at(std::uint64_t address, const Intern& intern) = 0;
    /// `file`: as the debug information names it, or the end of that from a folder on: "mix.c", "src/mix.c".
    virtual LinePlaces placesOf(std::string_view file, std::uint32_t line) = 0;
    virtual std::size_t memory() const = 0; ///< bytes, about
};
} // namespace dscope::symbols
