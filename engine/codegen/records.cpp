#include "engine/codegen/records.h"
#include "engine/codegen/expressions.h"
#include "engine/codegen/memory.h"
#include "engine/codegen/process_numbers.h"
#include "engine/codegen/stacks.h"
#include "engine/codegen/text.h"
#include "engine/object/raw.h"
/// What a firing sends: its fields in scratch memory, then the ring.
namespace dscope::codegen {
namespace {
/// Source: include/uapi/linux/bpf.h.
constexpr std::int32_t kAvailData = 0;
} // namespace

void storeField(Firing& f, const FieldPlan& field, std::uint32_t base)
{
    auto& b = f.b;
    const auto at = base + field.rawOffset;
    const Firing::Frame frame(f);
    switch (field.kind) {
    case Shape::Kind::Integer: stored(f, *field.expr); return b.store(Width::B8, Builder::kScratch, at, R0);
    case Shape::Kind::String: return copyText(f, text(f, *field.expr), at, field.rawSize);
    case Shape::Kind::Bytes: {
        const auto size = static_cast<std::uint32_t>(shapeOf(field.expr->type).size);
        if (size % 8) b.store(Width::B8, Builder::kScratch, at + field.rawSize - 8, 0);
        return copyObject(f, *field.expr, at, size);
    }
    case Shape::Kind::Stack:
        if (field.user) return b.store(Width::B8, Builder::kScratch, at, 0);
        return kernelStack(f, at, field.frames);
    case Shape::Kind::Symbol:
        integer(f, field.expr->kids.empty() ? *field.expr : *field.expr->kids[0]);
        b.store(Width::B8, Builder::kScratch, at + field.rawSize - 8, R0);
        if (!field.ownPid) return;
        currentNumbers(f);
        b.alu(AluOp::Rsh, R0, 32);
        return b.store(Width::B8, Builder::kScratch, at, R0);
    }
}

void sendSized(Firing& f, std::uint32_t at, const std::function<void()>& loadSize, Share share, record::Drop::Kind drop)
{
    auto& b = f.b;
    const auto ring = f.unit.object.ring;
    b.block([&](Label sent) {
        b.block([&](Label lost) {
            if (share == Share::Data) {
                // The last sixteenth of the ring is reserved for control records (clear, exit, faults), which must not be lost.
                b.loadMap(R1, ring);
                b.mov(R2, kAvailData);
                b.call(Helper::RingQuery);
                b.branch(Cond::Gt, R0, static_cast<std::int32_t>(f.unit.map(ring).maxEntries / 16 * 15), lost);
            }
            loadSize();
            b.loadMap(R1, ring);
            b.mov(R2, Builder::kScratch);
            b.add(R2, at);
            b.mov(R4, 0);
            b.call(Helper::RingOutput);
            b.branch(Cond::Eq, R0, 0, sent);
        });
        f.countDrop(drop);
    });
}
void send(Firing& f, std::uint32_t at, std::uint32_t size, Share share, record::Drop::Kind drop)
{
    sendSized(
        f, at, [&] { f.b.mov(R3, size); }, share, drop);
}
} // namespace dscope::codegen
