#pragma once
#include "engine/base/result.h"
#include "engine/decode/decoder.h"
#include "engine/object/object.h"
#include "engine/session/control.h"
#include "engine/session/maps.h"
#include <optional>
#include <span>
namespace dscope::session {
/// Takes keys out of the maps of an aggregation while programs go on aggregating, so that no update is lost.
///
/// A program finds an element first and adds to it then. Were the element removed between the two, by whatever system call, the
/// kernel would not tell, and the update would be gone. So programs use Object::Aside while keys leave the maps: a grace period
/// (awaitRunning) after they were told so, no program holds an element of the maps that they leave. What has come aside is taken
/// in the same way, a grace period after programs are back.
class KeyTaker {
public:
    KeyTaker(const object::Object& object, const Maps& maps, ControlBlock& control) : m_object(object), m_maps(maps), m_control(control) { }
    /// As decode::MapTaker.
    Result<> take(std::span<const MapId> from, std::span<const Bytes> keys, const decode::EachTaken& each);

private:
    std::optional<AggregationId> withAside(MapId map) const;
    Result<> takeOut(std::span<const MapId> from, std::span<const Bytes> keys, const decode::EachTaken& each) const;
    Result<> takeAll(MapId from, const decode::EachTaken& each) const;
    const object::Object& m_object;
    const Maps& m_maps;
    ControlBlock& m_control;
};
} // namespace dscope::session
