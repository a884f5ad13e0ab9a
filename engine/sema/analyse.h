#pragma once
#include "engine/sema/program.h"
#include "engine/syntax/parser.h"
#include "engine/types/type_source.h"
#include <optional>
#include <span>
namespace dscope::sema {
/// What a program is compiled against.
struct Environment {
    const host::Host& host;
    const probe::Registry& probes;
    std::span<const DLibrary> libraries; ///< of providers; parsed when a name of theirs is first needed
    options::Options options;
    syntax::Macros macros;
    bool allowNoMatch = false; ///< -Z
    bool listing = false;      ///< -l: what the clauses are about is wanted, not that it exists
    record::Dialect dialect = record::Dialect::Dtrace;
    types::TypeSources programTypes = {}; ///< of what is traced; may be empty
};
/// One text and where it came from; several -n and -s make several.
struct Input {
    std::uint32_t file; ///< in `sources`
    ast::Program program;
};
/// Whether what `#pragma D depends_on KIND NAME` asks for is there: a provider, else a module of the kernel.
bool isThere(const Environment& environment, std::string_view kind, const std::string& name);
/// The whole program, or nothing when `diagnostics` has an error. `sources` gains the libraries that were needed.
std::optional<Program> analyse(
    const std::vector<Input>& inputs, syntax::Sources& sources, const Environment& environment, Diagnostics& diagnostics);
} // namespace dscope::sema
