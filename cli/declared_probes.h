#pragma once
#include "engine/base/result.h"
#include "engine/syntax/ast.h"
#include <cstddef>
#include <map>
#include <string>
#include <vector>
namespace dscope::cli {
/// What a provider's declaration says of one of its probes, as far as objects need it.
struct DeclaredProbe {
    /// Of an argument that the program passes: bytes, negative when it is signed.
    std::vector<int> passed;
    std::vector<std::string> types; ///< of those that tracers see, as written
    /// What tracers see: for each argument, which of those passed it is.
    std::vector<std::size_t> seen;
};
/// By provider, then by probe.
using DeclaredProbes = std::map<std::string, std::map<std::string, DeclaredProbe>>;
/// Error: an argument that tracers see is none that the program passes.
Result<DeclaredProbes> declaredProbes(const ast::Program& program);
} // namespace dscope::cli
