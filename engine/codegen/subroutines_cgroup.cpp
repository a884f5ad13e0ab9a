#include "engine/base/result.h"
#include "engine/codegen/path_from_end.h"
#include "engine/codegen/subroutine.h"
#include "engine/host/containers.h"
#include <algorithm>
#include <cstring>
#include <utility>
/// Control groups: the path of the current process's, and the container that it tells.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;
constexpr std::uint32_t kDeepestGroup = 128;
constexpr std::uint32_t kWord = 8;

/// A folder of the current process's control group of version 2.
struct GroupFolder {
    explicit GroupFolder(Firing& f) : name(f), length(f), text(f.allocate(kWord + kLongestName + 1) + kWord) { }
    Cell name;          ///< the kernel's address
    Cell length;        ///< 1 to kLongestName
    std::uint32_t text; ///< the name in scratch memory, with its NUL; before it is room for a word
};
/// body() for each, from the deepest to the one below the root.
/// Source: include/linux/cgroup-defs.h, struct css_set; include/linux/kernfs.h, struct kernfs_node
void eachFolder(Firing& f, const GroupFolder& folder, const Builder::LeavableBody& body)
{
    auto& b = f.b;
    const auto offset = [&](std::string_view type, std::string_view member) { return f.unit.kernelOffset(type, member); };
    const auto sets = offset("task_struct", "cgroups"), cgroup = offset("css_set", "dfl_cgrp"), file = offset("cgroup", "kn"),
               nameAt = offset("kernfs_node", "name"), before615 = offset("kernfs_node", "parent"),
               parentAt = before615 >= 0 ? before615 : offset("kernfs_node", "__parent");
    if (std::min({sets, cgroup, file, nameAt, parentAt}) < 0)
        throw TooLarge{b.from(), "cgroup needs a kernel with control groups, and with its types (BTF) to find them"};
    // As in pathOf(): for each part of a request (io:::done) the verifier of 5.10 walks no such loop.
    if (f.isCostlyLoop()) f.unit.need(object::Ability::Loop, b.from());
    const Cell node(f), parent(f);
    b.call(Helper::GetTask);
    node.set(R0);
    for (const auto at : {sets, cgroup, file}) {
        readMember(f, parent, 8, node, at);
        parent.get(R1);
        node.set(R1);
    }

    f.rounds(kDeepestGroup, [&](Label done) {
        readMember(f, parent, 8, node, parentAt);
        parent.get(R1);
        b.branch(Cond::Eq, R1, 0, done); // the root has no name
        readMember(f, folder.name, 8, node, nameAt);
        b.mov(R1, Builder::kScratch);
        b.add(R1, folder.text);
        b.mov(R2, kLongestName + 1);
        folder.name.get(R3);
        b.call(Helper::ProbeReadKernelStr);
        b.branch(Cond::Sle, R0, 1, done);
        b.alu(AluOp::Sub, R0, 1); // its NUL
        folder.length.set(R0);
        body(done);
        parent.get(R1);
        node.set(R1);
    });
}
Text cgroupPath(Firing& f, const Arguments&)
{
    const GroupFolder folder(f);
    const FromItsEnd path(f);
    eachFolder(f, folder, [&](Label done) { path.put(folder.name, folder.length, done); });
    return path.text();
}

/// Goes to `no` unless the bytes in scratch memory at `at` begin with `prefix`. Uses r1 and r2.
void branchUnlessBegins(Firing& f, std::uint32_t at, std::string_view prefix, Label no)
{
    auto& b = f.b;
    for (const auto& [width, size] : {std::pair(Width::B8, 8U), {Width::B4, 4U}, {Width::B2, 2U}, {Width::B1, 1U}})
        for (; prefix.size() >= size; prefix.remove_prefix(size)) {
            std::uint64_t word = 0;
            std::memcpy(&word, prefix.data(), size);
            b.load(width, R1, Builder::kScratch, at);
            b.mov(R2, static_cast<std::int64_t>(word));
            b.branch(Cond::Ne, R1, R2, no);
            at += size;
        }
}
/// Goes to `no` unless the last 8 bytes of a text, in `tail`, end with `suffix`. Uses r1 and r2.
void branchUnlessEnds(Firing& f, const Cell& tail, std::string_view suffix, Label no)
{
    if (suffix.empty()) return;
    DSCOPE_ASSERT(suffix.size() <= kWord);
    std::uint64_t word = 0;
    std::memcpy(&word, suffix.data(), suffix.size());
    tail.get(R1);
    f.b.alu(AluOp::Rsh, R1, static_cast<std::int32_t>(8 * (kWord - suffix.size())));
    f.b.mov(R2, static_cast<std::int64_t>(word));
    f.b.branch(Cond::Ne, R1, R2, no);
}
/// Goes to `no` unless each byte in scratch memory [at, at + size), a multiple of 8, is a digit of base 16, lower case. Uses r0..r5.
void branchUnlessDigits(Firing& f, std::uint32_t at, std::uint32_t size, Label no)
{
    auto& b = f.b;
    constexpr std::uint64_t kOnes = 0x0101010101010101, kHighest = 0x80 * kOnes;
    const auto constant = [&](std::uint64_t value) { b.mov(R5, static_cast<std::int64_t>(value)); };
    // The highest bit of each byte of `into`: whether the byte of r1, which is less than 0x80, is at least `first` and at most `last`.
    const auto within = [&](Reg into, char first, char last) {
        b.mov(into, R1);
        constant((0x80U - static_cast<unsigned>(first)) * kOnes);
        b.alu(AluOp::Add, into, R5);
        b.mov(R4, R1);
        constant((0x7fU - static_cast<unsigned>(last)) * kOnes);
        b.alu(AluOp::Add, R4, R5);
        b.alu(AluOp::Xor, R4, -1);
        b.alu(AluOp::And, into, R4);
    };

    b.mov(R0, 0);
    for (std::uint32_t i = 0; i < size; i += kWord) {
        b.load(Width::B8, R1, Builder::kScratch, at + i);
        b.alu(AluOp::Or, R0, R1); // 0x80 and more are none
        within(R2, '0', '9');
        within(R3, 'a', 'f');
        b.alu(AluOp::Or, R2, R3);
        b.alu(AluOp::Xor, R2, -1);
        b.alu(AluOp::Or, R0, R2);
    }
    constant(kHighest);
    b.branch(Cond::Set, R0, R5, no);
}
/// Text of scratch memory with host::kEscapedDash as "-".
Text withDashes(Firing& f, const Text& from)
{
    auto& b = f.b;
    constexpr std::int32_t kEscape = host::kEscapedDash.size();
    const Cell length(f), matched(f); // of the escape, so far
    const auto result = blank(f, from.capacity);
    length.set(0);
    matched.set(0);
    std::uint32_t escape = 0;
    static_assert(kEscape == sizeof escape);
    std::memcpy(&escape, host::kEscapedDash.data(), sizeof escape);
    const auto end = [&] { // r1 + result.offset = where the text ends so far
        length.get(R1, result.capacity - 1);
        b.alu(AluOp::Add, R1, Builder::kScratch);
    };
    const auto put = [&](const auto& letter) {
        end();
        b.store(Width::B1, R1, result.offset, letter);
        length.get(R1);
        b.alu(AluOp::Add, R1, 1);
        length.set(R1);
    };

    eachByte(f, from, [&](Label) {
        put(R3);
        matched.get(R4);
        b.mov(R1, R4);
        b.alu(AluOp::Mul, R1, 8);
        b.mov(R2, escape);
        b.alu(AluOp::Rsh, R2, R1);
        b.alu(AluOp::And, R2, 0xff);
        b.alu(AluOp::Add, R4, 1);
        b.when({R2, Cond::Ne, R3}, [&] {
            b.mov(R4, 0);
            b.when({R3, Cond::Eq, host::kEscapedDash[0]}, [&] { b.mov(R4, 1); });
        });
        b.when({R4, Cond::Eq, kEscape}, [&] {
            length.get(R1);
            b.alu(AluOp::Sub, R1, kEscape);
            length.set(R1);
            put('-');
            b.mov(R4, 0);
        });
        matched.set(R4);
    });
    end();
    b.store(Width::B1, R1, result.offset, 0);
    b.mov(R0, Builder::kScratch);
    b.add(R0, result.offset);
    return readText(f, Memory::Kernel, result.capacity);
}
/// host::containerIn() of the same path.
Text container(Firing& f, const Arguments&)
{
    auto& b = f.b;
    constexpr std::int32_t kId = host::kContainerId, kShown = host::kShownContainerId;
    const GroupFolder folder(f);
    const Cell tail(f), at(f), size(f), below(f), belowSize(f);
    const auto id = f.allocate(kWord + kId) + kWord; // behind a byte of what is before it
    for (const auto* cell : {&at, &size, &below, &belowSize})
        cell->set(0);
    // What is found: the kernel's bytes at `at`, which may be nothing yet.
    const auto sizeIs = [&](const Cell& of, std::size_t less) {
        of.get(R1);
        b.alu(AluOp::Sub, R1, static_cast<std::int32_t>(less));
        size.set(R1);
    };
    const auto atIs = [&](const Cell& name, std::size_t more) {
        name.get(R1);
        b.alu(AluOp::Add, R1, static_cast<std::int32_t>(more));
        at.set(R1);
    };
    const auto readTail = [&] { // zeros of a name that is shorter
        tail.set(0);
        folder.length.get(R3);
        b.when({R3, Cond::Ge, static_cast<std::int32_t>(kWord)}, [&] {
            folder.name.get(R1);
            b.alu(AluOp::Add, R3, R1);
            b.add(R3, -static_cast<std::int32_t>(kWord));
            tail.addressOf(R1);
            b.mov(R2, kWord);
            b.call(Helper::ProbeReadKernel);
        });
    };
    const auto lookForId = [&](Label done) {
        b.block([&](Label none) {
            sizeIs(folder.length, 0);
            b.block([&](Label unscoped) {
                branchUnlessEnds(f, tail, host::kContainerScope, unscoped);
                sizeIs(folder.length, host::kContainerScope.size());
            });
            size.get(R3);
            b.branch(Cond::Slt, R3, kId, none);
            b.alu(AluOp::Sub, R3, kId);
            size.set(R3);
            b.alu(AluOp::Add, R3, Builder::kScratch);
            b.add(R3, folder.text - 1);
            b.mov(R1, Builder::kScratch);
            b.add(R1, id - 1);
            b.mov(R2, kId + 1);
            b.call(Helper::ProbeReadKernel);
            b.load(Width::B1, R1, Builder::kScratch, id - 1);
            b.branch(Cond::Ne, R1, '-', none);
            branchUnlessDigits(f, id, kId, none);
            folder.name.get(R1);
            size.get(R2);
            b.alu(AluOp::Add, R1, R2);
            at.set(R1);
            size.set(kShown);
            b.jump(done);
        });
    };
    const auto lookForName = [&](const host::ContainerFolder& row, Label done) {
        b.block([&](Label none) {
            branchUnlessBegins(f, folder.text, row.before, none);
            branchUnlessEnds(f, tail, row.after, none);
            sizeIs(folder.length, row.before.size() + row.after.size());
            b.branch(Cond::Sle, R1, 0, none);
            atIs(folder.name, row.before.size());
            b.jump(done);
        });
    };
    const auto lookForFolder = [&](const host::ContainerFolder& row, Label done) {
        DSCOPE_ASSERT(row.before.empty() && row.after.empty());
        b.block([&](Label none) {
            below.get(R1);
            b.branch(Cond::Eq, R1, 0, none);
            branchUnlessBegins(f, folder.text, std::string(row.within) + '\0', none);
            sizeIs(belowSize, 0);
            atIs(below, 0);
            b.jump(done);
        });
    };

    // A dash before the name: an id that is all of it is told as one behind a dash is.
    b.store(Width::B1, Builder::kScratch, folder.text - 1, '-');
    eachFolder(f, folder, [&](Label done) {
        readTail();
        // The folder that is below comes first: the deepest container is the process's.
        for (const auto& row : host::kContainerFolders)
            if (!row.within.empty()) lookForFolder(row, done);
        lookForId(done);
        for (const auto& row : host::kContainerFolders)
            if (row.within.empty()) lookForName(row, done);
        folder.name.get(R1);
        below.set(R1);
        folder.length.get(R1);
        belowSize.set(R1);
    });
    const auto raw = scratchText(f.allocate(kLongestName + 1), kLongestName + 1);
    zero(f, raw.offset, raw.capacity);
    at.get(R3);
    b.when({R3, Cond::Ne, 0}, [&] {
        b.mov(R1, Builder::kScratch);
        b.add(R1, raw.offset);
        size.get(R2, kLongestName);
        b.call(Helper::ProbeReadKernel);
    });
    return withDashes(f, raw);
}
} // namespace

template <> Subroutine emitter<"dscope_cgroup">() { return {.text = cgroupPath}; }
template <> Subroutine emitter<"dscope_container">() { return {.text = container}; }
} // namespace dscope::codegen
