#pragma once
#include "engine/types/btf.h"
#include "engine/types/type_table.h"
#include <deque>
#include <unordered_map>
namespace dscope::types {
/// The kernel's types as Types. A struct's members are converted when first asked for, so that one name does not pull in
/// the whole kernel. const, volatile and restrict are dropped: D ignores them.
class KernelTypes {
public:
    KernelTypes(TypeTable& table, Btf btf) : m_table(table), m_btf(std::move(btf)) { }
    const Type* find(std::string_view name); ///< "struct task_struct", "pid_t"
    const Type* function(std::string_view name);
    std::optional<std::pair<std::int64_t, const Type*>> enumerator(std::string_view name);
    /// nullptr when `t` is none of ours.
    const std::vector<Member>* members(const Type* t);

private:
    const Type* convert(std::uint32_t id);
    const Type* converted(std::uint32_t id, const Btf::Record& r);
    Type* add(std::uint32_t id, Type type);
    TypeTable& m_table;
    Btf m_btf;
    std::deque<Type> m_types;
    std::unordered_map<std::uint32_t, const Type*> m_byId;
    std::unordered_map<const Type*, std::uint32_t> m_structs; ///< whose members are still to be read
    std::unordered_map<const Type*, std::vector<Member>> m_members;
};
} // namespace dscope::types
