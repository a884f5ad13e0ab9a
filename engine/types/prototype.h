#pragma once
#include "engine/host/host.h"
#include "engine/types/btf.h"
#include <map>
#include <optional>
namespace dscope::types {
/// What BTF knows of a function, as C text that D understands.
struct Prototype {
    std::uint32_t id = 0; ///< of the function in the BTF
    std::vector<std::string> parameters;
    std::vector<std::string> names; ///< of the parameters; an empty one where it has none
    std::string result;             ///< "void" where it returns nothing
    bool variadic = false;
    /// Each parameter is a number or an address and comes in a register of its own: so BPF programs can be put there.
    bool plain = true;
};
/// Of the function with this name, the one with an id of at least `from`.
std::optional<Prototype> prototypeOf(const Btf& btf, std::string_view name, std::uint32_t from = 1);
/// A type as C spells it, qualifiers left out; an address of what has no name is a `void *`.
std::string spelled(const Btf& btf, std::uint32_t type);
/// The types of the kernel and of one of its modules in one: a module's are numbered on from the kernel's.
/// Source: Documentation/bpf/btf.rst, "split BTF"; kernel/bpf/btf.c, btf_parse_module()
Result<Btf> withModule(std::string_view kernel, const std::string& module);
/// The types of modules that are loaded, each read when it is first asked for and kept.
class ModuleTypes {
public:
    /// withModule() of it; null where the kernel or the module tells no types.
    const Btf* of(const host::Host& host, const std::string& module);

private:
    std::map<std::string, std::optional<Btf>> m_all;
};
} // namespace dscope::types
