// needs: engine/syntax
// libFuzzer: whatever the bytes are, the parser returns; what it accepts prints as text that reads as the same program.
#include "engine/syntax/parser.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
using namespace dscope;

namespace {
std::string printed(std::string text, Diagnostics& diagnostics)
{
    syntax::Sources sources;
    const auto file = sources.add({{}, std::move(text)});
    syntax::Macros macros;
    macros.arguments = {"fuzz.d", "1", "a*"};
    macros.numbers = {{"target", 1}};
    const auto program = syntax::parse(sources, file, macros, diagnostics);
    for (const auto& d : diagnostics.all())
        (void)syntax::rendered(d, sources, syntax::Tags::Shown);
    return syntax::print(program);
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Diagnostics diagnostics, again;
    const auto once = printed(std::string(reinterpret_cast<const char*>(data), size), diagnostics);
    // What a macro stands for need not read as what the macro was: "$1" may become the number of a probe.
    const bool macros = std::find(data, data + size, std::uint8_t{'$'}) != data + size;
    if (diagnostics.ok() && !macros && (printed(once, again) != once || !again.ok())) std::abort();
    return 0;
}
