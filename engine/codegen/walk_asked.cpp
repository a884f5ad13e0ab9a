#include "engine/codegen/walk_memory.h"
#include <bit>
#include <unistd.h>
/// What a process has mapped that nobody has looked at yet, or not since: the kernel knows.
namespace dscope::codegen {
namespace {
constexpr std::int32_t kExecutable = 4;    ///< VM_EXEC. Source: include/linux/mm.h
constexpr std::int32_t kNothingThere = -2; ///< ENOENT

#define OF_ASKED(member) (OF_WALK(asked) + at(offsetof(Walk::Asked, member)))
#define OF_KEY(member) (OF_ASKED(key) + at(offsetof(WalkFileKey, member)))

/// Where the kernel's structures have what is asked; -1: nowhere.
struct Members {
    explicit Members(const Unit& unit)
        : start(unit.kernelOffset("vm_area_struct", "vm_start")), end(unit.kernelOffset("vm_area_struct", "vm_end")),
          flags(unit.kernelOffset("vm_area_struct", "vm_flags")), page(unit.kernelOffset("vm_area_struct", "vm_pgoff")),
          file(unit.kernelOffset("vm_area_struct", "vm_file")), operations(unit.kernelOffset("vm_area_struct", "vm_ops")),
          inode(unit.kernelOffset("file", "f_inode")), number(unit.kernelOffset("inode", "i_ino")),
          super(unit.kernelOffset("inode", "i_sb")), device(unit.kernelOffset("super_block", "s_dev"))
    {
        // Source: include/linux/fs.h of 6.1, 6.6 and 6.12
        for (const auto& [s, ns, isLong] : {std::tuple("i_ctime.tv_sec", "i_ctime.tv_nsec", true),
                 {"__i_ctime.tv_sec", "__i_ctime.tv_nsec", true}, {"i_ctime_sec", "i_ctime_nsec", false}}) {
            if (unit.kernelOffset("inode", s) < 0) continue;
            seconds = unit.kernelOffset("inode", s);
            nanoseconds = unit.kernelOffset("inode", ns);
            widthOfNs = isLong ? Width::B8 : Width::B4;
        }
    }

    bool areAll() const
    {
        return start >= 0 && end >= 0 && flags >= 0 && page >= 0 && file >= 0 && operations >= 0 && inode >= 0 && number >= 0 && super >= 0
            && device >= 0 && seconds >= 0 && nanoseconds >= 0;
    }
    std::int64_t start, end, flags, page, file, operations, inode, number, super, device, seconds = -1, nanoseconds = -1;
    Width widthOfNs = Width::B8;
};

/// Called by bpf_find_vma(task, vma, where the walk is): fills `asked`. The verifier knows the types: members are read without a call.
void emitVma(Firing& f)
{
    auto& b = f.b;
    const Members members(f.unit);
    const auto done = b.label(), noOperations = b.label();
    b.mov(R7, R2);
    b.load(Width::B8, R6, R3, 0);
    const auto copy = [&](std::int64_t to, Reg from, std::int64_t member, Width width = Width::B8) {
        b.load(width, R1, from, member);
        b.store(Width::B8, R6, to, R1);
    };

    copy(OF_ASKED(start), R7, members.start);
    copy(OF_ASKED(end), R7, members.end);
    copy(OF_ASKED(flags), R7, members.flags);
    b.load(Width::B8, R1, R7, members.page);
    const auto pageSize = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)); // 4 KiB, or 16 or 64 on aarch64
    b.alu(AluOp::Lsh, R1, std::countr_zero(pageSize));
    b.store(Width::B8, R6, OF_KEY(offset), R1);
    b.load(Width::B8, R1, R7, members.operations);
    b.branch(Cond::Eq, R1, 0, noOperations);
    b.store(Width::B8, R6, OF_ASKED(operations), 1);
    b.bind(noOperations);
    b.load(Width::B8, R8, R7, members.file);
    b.branch(Cond::Eq, R8, 0, done);
    b.store(Width::B8, R6, OF_ASKED(file), 1);
    b.load(Width::B8, R8, R8, members.inode);
    copy(OF_KEY(inode), R8, members.number);
    copy(OF_KEY(changed), R8, members.seconds);
    b.load(members.widthOfNs, R1, R8, members.nanoseconds);
    constexpr std::int32_t kNanosecondBits
        = 0x7fffffff; // the bit above is a note of the kernel's. Source: I_CTIME_QUERIED, include/linux/fs.h
    b.alu(AluOp::And, R1, kNanosecondBits);
    b.store(Width::B8, R6, OF_KEY(changedNs), R1);
    b.load(Width::B8, R8, R8, members.super);
    copy(OF_KEY(device), R8, members.device, Width::B4);
    b.bind(done);
    b.mov(R0, 0);
    b.exit();
}
} // namespace

bool canAsk(const Unit& unit) { return Members(unit).areAll(); }

void emitMappingEnd(Firing& f)
{
    auto& b = f.b;
    b.load(Width::B8, R1, R2, Members(f.unit).end);
    b.store(Width::B8, R3, 0, R1);
    b.mov(R0, 0);
    b.exit();
}

void emitAsk(Firing& f)
{
    auto& b = f.b;
    const auto walk = b.temp();
    const auto nothing = b.label(), unknown = b.label(), known = b.label(), notAsked = b.label(), put = b.label(), isFile = b.label();
    const auto found
        = [](std::uint32_t number, std::size_t member) { return OF_WALK(found) + at(std::size_t{number} * sizeof(Walk::Found) + member); };
    constexpr auto kMapping = offsetof(Walk::Found, mapping);
    b.mov(R6, R1);
    b.mov(R7, R2);
    b.load(Width::B8, R8, R6, OF_WALK(moment));
    for (std::uint32_t i = 0; i < kFound; ++i) {
        const auto next = b.label();
        b.load(Width::B8, R1, R6, found(i, offsetof(Walk::Found, moment)));
        b.branch(Cond::Ne, R1, R8, next);
        b.load(Width::B8, R1, R6, found(i, kMapping + offsetof(WalkMapping, start)));
        b.branch(Cond::Gt, R1, R7, next);
        b.load(Width::B8, R1, R6, found(i, kMapping + offsetof(WalkMapping, end)));
        b.branch(Cond::Le, R1, R7, next);
        b.store(Width::B8, R6, OF_WALK(whyNot), static_cast<std::int32_t>(i));
        b.jump(known);
        b.bind(next);
    }

    for (const auto zero : {OF_ASKED(flags), OF_ASKED(file), OF_ASKED(operations)})
        b.store(Width::B8, R6, zero, 0);
    b.call(Helper::GetTaskBtf);
    b.mov(R1, R0);
    b.mov(R2, R7);
    b.loadFunction(R3, f.subprogram("walk_vma", emitVma));
    b.store(walk, R6);
    b.addressOf(R4, walk);
    b.mov(R5, 0);
    b.call(Helper::FindVma);
    b.branch(Cond::Eq, R0, kNothingThere, nothing);
    b.branch(Cond::Ne, R0, 0, notAsked); // it is changing
    b.load(Width::B8, R1, R6, OF_ASKED(flags));
    b.alu(AluOp::And, R1, kExecutable);
    b.branch(Cond::Eq, R1, 0, nothing);

    // r9 = where it is kept.
    b.load(Width::B8, R9, R6, OF_WALK(nextFound));
    b.mov(R1, R9);
    b.alu(AluOp::Add, R1, 1);
    b.store(Width::B8, R6, OF_WALK(nextFound), R1);
    b.alu(AluOp::And, R9, static_cast<std::int32_t>(kFound - 1));
    b.alu(AluOp::Mul, R9, static_cast<std::int32_t>(sizeof(Walk::Found)));
    b.alu(AluOp::Add, R9, R6);
    b.add(R9, OF_WALK(found));
    const auto ofMapping = [&](std::size_t member) { return at(kMapping + member); };
    b.load(Width::B8, R1, R6, OF_ASKED(file));
    b.branch(Cond::Ne, R1, 0, isFile);
    b.load(Width::B8, R1, R6, OF_ASKED(operations));
    b.branch(Cond::Ne, R1, 0, unknown); // the kernel's own: [vdso]
    b.store(Width::B4, R9, ofMapping(offsetof(WalkMapping, kind)), WalkMapping::Unwritten);
    b.jump(put);
    b.bind(isFile);
    b.loadMap(R1, f.unit.walks().files);
    b.mov(R2, R6);
    b.add(R2, OF_ASKED(key));
    b.call(Helper::MapLookup);
    b.branch(Cond::Eq, R0, 0, unknown);
    b.load(Width::B8, R1, R0, at(offsetof(WalkFile, base)));
    b.load(Width::B8, R2, R6, OF_ASKED(start));
    b.alu(AluOp::Add, R1, R2);
    b.store(Width::B8, R9, ofMapping(offsetof(WalkMapping, base)), R1);
    for (const auto& [to, from] : {std::pair(offsetof(WalkMapping, firstPage), offsetof(WalkFile, firstPage)),
             {offsetof(WalkMapping, pages), offsetof(WalkFile, pages)}, {offsetof(WalkMapping, table), offsetof(WalkFile, table)},
             {offsetof(WalkMapping, kind), offsetof(WalkFile, kind)}}) {
        b.load(Width::B4, R1, R0, at(from));
        b.store(Width::B4, R9, ofMapping(to), R1);
    }

    b.bind(put);
    b.load(Width::B8, R1, R6, OF_ASKED(start));
    b.store(Width::B8, R9, ofMapping(offsetof(WalkMapping, start)), R1);
    b.load(Width::B8, R1, R6, OF_ASKED(end));
    b.store(Width::B8, R9, ofMapping(offsetof(WalkMapping, end)), R1);
    b.store(Width::B8, R9, at(offsetof(Walk::Found, moment)), R8);
    b.mov(R0, R9);
    b.add(R0, at(kMapping));
    b.exit();

    // By way of memory: the verifier would follow what comes with each of the numbers.
    b.bind(known);
    b.load(Width::B8, R0, R6, OF_WALK(whyNot));
    b.alu(AluOp::And, R0, static_cast<std::int32_t>(kFound - 1));
    b.alu(AluOp::Mul, R0, static_cast<std::int32_t>(sizeof(Walk::Found)));
    b.alu(AluOp::Add, R0, R6);
    b.add(R0, OF_WALK(found) + at(kMapping));
    b.exit();

    const auto none = b.label(), told = b.label();
    b.bind(nothing);
    b.store(Width::B8, R6, OF_WALK(noCode), 1);
    b.mov(R1, static_cast<std::int64_t>(WalkEnd::NoMapping));
    b.jump(told);
    b.bind(notAsked);
    b.mov(R2, static_cast<std::int64_t>(WalkEnd::NoMapping));
    b.jump(none);
    b.bind(unknown);
    b.mov(R2, static_cast<std::int64_t>(WalkEnd::NoTable));
    b.bind(none);
    b.load(Width::B8, R1, R6, OF_WALK(unknown));
    b.branch(Cond::Ne, R1, 0, told);
    b.mov(R1, R2);
    b.bind(told);
    b.store(Width::B8, R6, OF_WALK(whyNot), R1);
    b.mov(R0, 0);
    b.exit();
}
} // namespace dscope::codegen
