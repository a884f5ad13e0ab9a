#include "engine/codegen/path_from_end.h"
namespace dscope::codegen {
void readMember(Firing& f, const Cell& into, std::int32_t size, const Cell& object, std::int64_t offset)
{
    into.set(0);
    into.addressOf(R1);
    f.b.mov(R2, size);
    object.get(R3);
    f.b.add(R3, offset);
    f.b.call(Helper::ProbeReadKernel);
}

FromItsEnd::FromItsEnd(Firing& f) : m_f(f), m_room(f.allocate(kPathRoom + kLongestName + 1)), m_at(f)
{
    f.b.store(Width::B1, Builder::kScratch, m_room + kPathRoom - 1, 0);
    m_at.set(kPathRoom - 1);
}
void FromItsEnd::put(const Cell& name, const Cell& length, Label done) const
{
    auto& b = m_f.b;
    length.get(R2, kLongestName);
    m_at.get(R4, kPathRoom - 1);
    b.branch(Cond::Le, R4, R2, done);
    b.alu(AluOp::Sub, R4, R2);
    b.alu(AluOp::Sub, R4, 1);
    m_at.set(R4);
    m_at.get(R4, kPathRoom - 1);
    toRoom(R1, R4);
    b.store(Width::B1, R1, 0, '/');
    b.add(R1, 1);
    name.get(R3);
    b.call(Helper::ProbeReadKernel);
}
Text FromItsEnd::text() const
{
    auto& b = m_f.b;
    m_at.get(R1);
    b.when({R1, Cond::Eq, kPathRoom - 1}, [&] {
        b.mov(R1, '/');
        b.store(Width::B1, Builder::kScratch, m_room + kPathRoom - 2, R1);
        m_at.set(kPathRoom - 2);
    });
    m_at.get(R1, kPathRoom - 1);
    toRoom(R0, R1);
    return readText(m_f, Memory::Kernel, kPathRoom);
}
void FromItsEnd::toRoom(Reg reg, Reg where) const
{
    m_f.b.mov(reg, Builder::kScratch);
    m_f.b.add(reg, m_room);
    m_f.b.alu(AluOp::Add, reg, where);
}
} // namespace dscope::codegen
