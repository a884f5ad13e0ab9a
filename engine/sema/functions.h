#pragma once
#include "engine/sema/program.h"
#include <string_view>
namespace dscope::sema {
/// One aggregating function: its row of engine/language, and what it means.
struct AggregatorRow {
    std::string_view name;
    record::Aggregator function;
    std::size_t least, most; ///< arguments; an optional last one is the weight
};
const AggregatorRow* findAggregator(std::string_view name);
std::string_view nameOf(record::Aggregator function);

/// One action: its row of engine/language, and what it records as.
struct ActionRow {
    std::string_view name;
    record::ActionKind kind;
    std::size_t least, most;
    bool destructive = false;
    std::string_view argument = {}; ///< type of the only argument where a plain conversion is all there is to check
    std::string_view refusal = {};  ///< why Linux or we cannot do it; empty: we can
    bool isPacket = false;          ///< Tracemem: of a packet, which is written to a file
    bool givesResult = false;       ///< return(): as Statement has it
};
const ActionRow* findAction(std::string_view name);
/// One function that gives a stack: its row of engine/language, and what it means.
struct StackRow {
    enum class Of : std::uint8_t { Kernel, Process };
    std::string_view name;
    Of of;
    std::string_view framesOption; ///< the option that has the number of frames where no argument does
    std::string_view bytesOption;  ///< the option that has the bytes for names where no argument does; empty: 0 bytes
    std::size_t least, most;       ///< arguments
};
const StackRow* findStackFunction(std::string_view name);
/// One function that names an address: its row of engine/language, and what it means.
struct SymbolRow {
    std::string_view name;
    SymbolName symbol;
};
const SymbolRow* findSymbolFunction(std::string_view name);
/// The kind of the function with that name, as D's messages say it: "tracing function". Empty if there is no such function.
std::string_view kindOfFunction(std::string_view name);
/// The first function that names an address so.
std::string_view nameOf(const SymbolName& symbol);
} // namespace dscope::sema
