#pragma once
#include "engine/base/result.h"
#include "engine/record/record.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>
namespace dscope::record {
/// A machine instruction in words. Addresses are those the file is linked for.
struct CodeInstruction {
    std::uint64_t address = 0;
    std::uint8_t length = 0;              ///< bytes, at least 1
    std::string text;                     ///< in AT&T's syntax; "(bad)" where the bytes are no instruction
    std::optional<std::uint64_t> target;  ///< where a jump or call leads, if the instruction itself says it
    std::string callee;                   ///< what is there, when it is outside of the function: "malloc@plt"; empty when it has no name
    Shared<std::string> file;             ///< of the source, when debug information tells it ...
    std::uint32_t line = 0;               ///< ... from 1; 0: not known
    bool operator==(const CodeInstruction&) const = default;
};
/// The code of a function, as its file has it.
struct CodeText {
    std::uint64_t begin = 0, end = 0;     ///< half open
    std::vector<CodeInstruction> instructions; ///< ascending, without gaps
};
/// Reads the function around an address of a file. Error: why it can't be read here, in a sentence.
using ReadCode = std::function<Result<CodeText>(const CodeFile& file, std::uint64_t address)>;
} // namespace dscope::record
