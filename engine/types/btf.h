#pragma once
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::types {
/// The kernel's type description as it lies in /sys/kernel/btf/vmlinux: types are records, numbered from 1.
/// Source: Documentation/bpf/btf.rst.
class Btf {
public:
    enum class Kind : std::uint8_t {
        Void,
        Int,
        Ptr,
        Array,
        Struct,
        Union,
        Enum,
        Fwd,
        Typedef,
        Volatile,
        Const,
        Restrict,
        Func,
        FuncProto,
        Var,
        DataSec,
        Float,
        DeclTag,
        TypeTag,
        Enum64
    };
    struct Record {
        Kind kind = Kind::Void;
        bool flag = false;       ///< struct: members hold bit-field widths; enum: signed; fwd: a union
        std::uint32_t count = 0; ///< members, parameters, enumerators that follow
        std::uint32_t sizeOrType = 0;
        std::string_view name;
        std::size_t data = 0; ///< offset of what follows the record, for word()
    };
    struct Item { ///< of a struct, an enum or a function
        std::string_view name;
        std::uint32_t type = 0;
        std::uint32_t bitOffset = 0, bitWidth = 0;
        std::int64_t value = 0;
    };
    /// One pass over all records; about 5 ms for a kernel's 140,000 types.
    static Result<Btf> parse(std::string bytes);
    static Result<Btf> parse(HeldText bytes);

    Record at(std::uint32_t id) const;
    std::uint32_t word(std::size_t offset) const;
    std::vector<Item> items(const Record& record) const;
    std::uint32_t count() const { return static_cast<std::uint32_t>(m_offsets.size()); }
    /// Id of the named type, 0 when there is none. `keyword` is "struct", "union", "enum", or empty for integers and typedefs.
    std::uint32_t find(std::string_view keyword, std::string_view name) const;
    /// Id of a function: the lowest from `first` on; 0 when there is none.
    std::uint32_t findFunction(std::string_view name, std::uint32_t first = 0) const;
    /// Id of the enum that has this enumerator, and its value.
    std::pair<std::uint32_t, std::int64_t> findEnumerator(std::string_view name) const;

private:
    std::string_view text(std::uint32_t offset) const;
    void index();
    std::uint32_t findFrom(std::uint32_t first, std::string_view keyword, std::string_view name) const;
    HeldText m_held;
    std::string_view m_bytes; ///< what is held
    std::size_t m_types = 0, m_strings = 0, m_stringsEnd = 0;
    std::vector<std::uint32_t> m_offsets; ///< of record i in m_bytes; [0] is void and unused
    std::vector<std::uint32_t> m_slots;   ///< open hash of ids of named types and functions; size a power of 2
};
} // namespace dscope::types
