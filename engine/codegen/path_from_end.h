#pragma once
#include "engine/codegen/string_scan.h"
/// What paths are made of that the kernel has as a chain of names, up to a root.
namespace dscope::codegen {
constexpr std::uint32_t kPathRoom = 1024;   ///< the longest path that is told; what is above it is left out
constexpr std::uint32_t kLongestName = 255; ///< NAME_MAX

/// `into` = `size` bytes at `offset` from the address in `object`, 0 where they can't be read. r0 = 0 when they could.
void readMember(Firing& f, const Cell& into, std::int32_t size, const Cell& object, std::int64_t offset);

/// A path that is written from its end, name by name, as walks go up to the root.
class FromItsEnd {
public:
    explicit FromItsEnd(Firing& f);
    /// The kernel's `length` bytes at `name` come before what there is; goes to `done` where there is no room for them.
    void put(const Cell& name, const Cell& length, Label done) const;
    /// The path; "/" where nothing was put.
    Text text() const;

private:
    void toRoom(Reg reg, Reg where) const;
    Firing& m_f;
    const std::uint32_t m_room;
    const Cell m_at;
};
} // namespace dscope::codegen
