#pragma once
#include "engine/codegen/firing.h"
/// What a firing sends: records.cpp, builtins.cpp.
namespace dscope::codegen {
/// The field's expression, to its place in the payload or key that begins at scratch[base]. Uses r0..r5.
void storeField(Firing& f, const FieldPlan& field, std::uint32_t base);
/// A RawHeader at scratch[at]. `clause` ~0: its clause and probe are filled in by others. Uses r0..r5.
void fillHeader(Firing& f, std::uint32_t at, std::uint32_t kind, std::uint32_t clause);
/// How much of the ring a record may use: control records also the last of it, which is kept for them.
enum class Share : std::uint8_t { Data, Control };
/// Sends scratch[at, at + size); what does not fit is counted as lost.
void send(Firing& f, std::uint32_t at, std::uint32_t size, Share share, record::Drop::Kind drop);
} // namespace dscope::codegen
