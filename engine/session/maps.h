#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/object/object.h"
#include <functional>
#include <span>
namespace dscope::session {
/// The kernel's side of Object::maps: created, filled and, where asked for, frozen.
class Maps {
public:
    /// `cpus`: possible CPUs, the width of per-CPU values.
    static Result<Maps> create(const object::Object& object, int cpus);
    int cpus() const { return m_cpus; }
    /// The maps of the same program compiled again for more probes: what it keeps and sends goes where ours does, only its
    /// tables are its own. Error when the two have not the same maps.
    Result<Maps> extended(const object::Object& object) const;
    int fd(MapId id) const { return m_maps.at(id.value).fd.get(); }
    std::vector<int> fds() const;
    const object::Map& description(MapId id) const { return m_maps.at(id.value).map; }
    /// Calls `each` with every key of a hash and its value (per-CPU: the values of all possible CPUs in a row, each
    /// rounded up to 8 bytes). Reads in batches; entries that come and go meanwhile may or may not be seen, none twice.
    Result<> read(MapId id, const std::function<void(ByteView key, std::span<const std::byte> value)>& each) const;
    /// Removes one key of a hash and gives the value it had; empty when there was no such key. A program that has found the
    /// element before may still write to it: that is lost, or is added to the key that gets its memory next. KeyTaker prevents it.
    Result<Bytes> take(MapId id, ByteView key) const;
    /// Makes a program what tail calls find in element `index` of a map of programs.
    Result<> setProgram(MapId id, std::uint32_t index, int program) const;
    /// Element `index` of an array; per-CPU arrays give all CPUs' values in a row.
    Result<Bytes> element(MapId id, std::uint32_t index) const;

private:
    struct Entry {
        object::Map map;
        Fd fd;
    };
    std::size_t valueBytes(const object::Map& map) const;
    std::vector<Entry> m_maps;
    int m_cpus = 1;
};
/// Words of a map's bytes, per CPU or not, are this far apart.
constexpr std::size_t roundedTo8(std::size_t size) { return (size + 7) / 8 * 8; }
} // namespace dscope::session
