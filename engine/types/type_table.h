#pragma once
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/types/type.h"
#include "engine/types/type_source.h"
#include <memory>
#include <optional>
#include <string_view>
namespace dscope::types {
/// All types of one compilation: C's basic ones, what the program and D libraries declare, and the kernel's, which
/// are read from /sys/kernel/btf/vmlinux the first time a name is not found otherwise (parsing costs 6 ms, so programs
/// that use no kernel type never pay for it).
class TypeTable {
public:
    explicit TypeTable(const host::Host& host);
    ~TypeTable();

    const Type* voidType() const;
    const Type* integer(std::uint64_t size, Sign sign) const; ///< size 1, 2, 4, 8
    /// `narrow`, an integer of fewer than 8 bytes, as variables hold it that nobody declared: in 8 bytes, computed with a sign, and
    /// shown as what it is called where the value fits. Other types stay what they are.
    const Type* inWord(const Type* narrow) const;
    const Type* string() const;                                   ///< D's string
    void setStringSize(std::uint64_t bytes);                      ///< -x strsize; 256 until told
    const Type* stack() const;
    const Type* symbol() const;
    const Type* pointerTo(const Type* target, Space space = Space::Kernel);
    const Type* arrayOf(const Type* element, std::uint64_t count);
    const Type* function(const Type* result, std::vector<const Type*> parameters);

    /// A type by C name: "int", "unsigned long", "struct task_struct", "pid_t", "enum pid_type". nullptr when unknown.
    /// D declarations win over the kernel's.
    const Type* find(std::string_view name);
    /// Where the types of traced programs are asked for.
    void setSources(TypeSources sources);
    /// The types of a program or library, by the name that D gives it; null where there are none. `why`: the reason, if it is there.
    TypeSource* sourceOf(std::string_view program, std::string& why);
    /// Declare (or complete) a type: from a D program or library.
    const Type* define(Type type, std::vector<Member> members = {});
    /// The members of a struct or union; empty when incomplete. Reads BTF when needed.
    const std::vector<Member>& members(const Type* structOrUnion);
    struct Field {
        const Type* type;
        std::uint32_t bitOffset;
        std::uint8_t bitWidth;
    };
    /// The member `name`, looked for in anonymous members too; offset from the start of `structOrUnion`.
    std::optional<Field> member(const Type* structOrUnion, std::string_view name);
    /// Byte boundary on which C places a `t`; 1 for what has no size.
    std::uint64_t alignment(const Type* t);
    /// The type of a kernel function (Kind::Function), for argument types; nullptr when BTF does not know it.
    const Type* kernelFunction(std::string_view name);
    /// Why kernel types cannot be had ("cannot open /sys/kernel/btf/vmlinux: ..."); empty when they can, or were not needed yet.
    const std::string& whyNoKernelTypes() const;
    /// Whether they can be had: now they are needed.
    bool knowsKernel();
    /// A message for what needs them where they cannot be had, and the way out.
    std::string kernelTypesNeeded() const;
    static constexpr std::string_view kWhoHasKernelTypes
        = "a kernel built with CONFIG_DEBUG_INFO_BTF=y tells them, as those of Debian 11 and later (linux-image-amd64), "
          "Ubuntu 22.04, Fedora and RHEL 9 do; in a container the host's /sys has to be mounted";
    /// The value of an enumerator of any enum known so far or of the kernel's.
    std::optional<std::pair<std::int64_t, const Type*>> enumerator(std::string_view name);
    /// Byte offset of a member of a kernel struct, dotted for nested ones ("mm", "thread.sp"); for code written by hand.
    Result<std::uint32_t> offsetOf(std::string_view structName, std::string_view path);

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};
} // namespace dscope::types
