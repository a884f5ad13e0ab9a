#include "engine/codegen/expressions.h"
#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
#include "engine/codegen/text.h"
#include <algorithm>
/// Files: where the kernel's directory entries and mounts say that they are.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;
constexpr std::uint32_t kPathRoom = 1024;   // the longest path that is told; what is above it is left out
constexpr std::uint32_t kLongestName = 255; // NAME_MAX
constexpr std::uint32_t kDeepestPath = 128; // directories and mounts on the way to the root

/// `into` = `size` bytes at `offset` from the address in `object`, 0 where they can't be read. r0 = 0 when they could.
void readMember(Firing& f, const Cell& into, std::int32_t size, const Cell& object, std::int64_t offset)
{
    into.set(0);
    into.addressOf(R1);
    f.b.mov(R2, size);
    object.get(R3);
    f.b.add(R3, offset);
    f.b.call(Helper::ProbeReadKernel);
}
/// A path that is written from its end, name by name, as walks go up to the root.
class FromItsEnd {
public:
    explicit FromItsEnd(Firing& f) : m_f(f), m_room(f.allocate(kPathRoom + kLongestName + 1)), m_at(f)
    {
        f.b.store(Width::B1, Builder::kScratch, m_room + kPathRoom - 1, 0);
        m_at.set(kPathRoom - 1);
    }

    /// The kernel's `length` bytes at `name` come before what there is; goes to `done` where there is no room for them.
    void put(const Cell& name, const Cell& length, Label done) const
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

    /// The path; "/" where nothing was put.
    Text text() const
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

private:
    void toRoom(Reg reg, Reg where) const
    {
        m_f.b.mov(reg, Builder::kScratch);
        m_f.b.add(reg, m_room);
        m_f.b.alu(AluOp::Add, reg, where);
    }

    Firing& m_f;
    const std::uint32_t m_room;
    const Cell m_at;
};
/// The path of a directory entry, as the mount shows it (a struct vfsmount; 0: within its file system).
Text pathOf(Firing& f, const Cell& dentry, const Cell& vfsmount)
{
    auto& b = f.b;
    const auto offset = [&](std::string_view type, std::string_view member) { return f.unit.kernelOffset(type, member); };
    const auto mnt = offset("mount", "mnt"), root = offset("vfsmount", "mnt_root");
    // Even 24 steps are more than the verifier of 5.10 walks for each part of a request (io:::done).
    if (f.isCostlyLoop()) f.unit.need(object::Ability::Loop, b.from());
    const Cell mount(f), top(f), parent(f), name(f), length(f);
    const FromItsEnd path(f);
    mount.set(0);
    vfsmount.get(R1);
    b.when({R1, Cond::Ne, 0}, [&] {
        b.add(R1, -mnt);
        mount.set(R1);
    });

    f.rounds(kDeepestPath, [&](Label done) {
        const auto leaveMount = [&] { // the name of what is mounted is that of the place it is mounted on
            readMember(f, dentry, 8, mount, offset("mount", "mnt_mountpoint"));
            readMember(f, parent, 8, mount, offset("mount", "mnt_parent"));
            parent.get(R1);
            mount.get(R2);
            mount.set(R1);
            b.branch(Cond::Eq, R1, R2, done);
        };

        const auto putName = [&] {
            readMember(f, parent, 8, dentry, offset("dentry", "d_parent"));
            b.branch(Cond::Ne, R0, 0, done);
            parent.get(R1);
            dentry.get(R2);
            b.branch(Cond::Eq, R1, R2, done); // the root of a file system of which only a part is mounted
            readMember(f, name, 8, dentry, offset("dentry", "d_name.name"));
            readMember(f, length, 4, dentry, offset("dentry", "d_name.len"));
            path.put(name, length, done);
            parent.get(R1);
            dentry.set(R1);
        };

        readMember(f, top, 8, mount, mnt + root);
        top.get(R1);
        dentry.get(R2);
        b.branch(Cond::Eq, R2, 0, done);
        b.either({R1, Cond::Eq, R2}, leaveMount, putName);
    });
    return path.text();
}
Text dentryPath(Firing& f, const Arguments& args)
{
    const Cell dentry(f), mount(f);
    integer(f, *args[0]);
    dentry.set(R0);
    integer(f, *args[1]);
    mount.set(R0);
    return pathOf(f, dentry, mount);
}
Text path(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Cell path(f), dentry(f), mount(f);
    integer(f, *args[0]);
    path.set(R0);
    readMember(f, mount, 8, path, f.unit.kernelOffset("path", "mnt"));
    readMember(f, dentry, 8, path, f.unit.kernelOffset("path", "dentry"));
    path.get(R1);
    b.branch(Cond::Ne, R0, 0, f.fault(record::FaultKind::BadAddress));
    return pathOf(f, dentry, mount);
}
/// The path of the current process's cgroup of version 2, from the root of that hierarchy.
/// Source: include/linux/cgroup-defs.h, struct css_set; include/linux/kernfs.h, struct kernfs_node
Text cgroupPath(Firing& f, const Arguments&)
{
    auto& b = f.b;
    const auto offset = [&](std::string_view type, std::string_view member) { return f.unit.kernelOffset(type, member); };
    const auto sets = offset("task_struct", "cgroups"), cgroup = offset("css_set", "dfl_cgrp"), file = offset("cgroup", "kn"),
               nameAt = offset("kernfs_node", "name"), before615 = offset("kernfs_node", "parent"),
               parentAt = before615 >= 0 ? before615 : offset("kernfs_node", "__parent");
    if (std::min({sets, cgroup, file, nameAt, parentAt}) < 0)
        throw TooLarge{b.from(), "cgroup needs a kernel with control groups, and with its types (BTF) to find them"};
    const Cell node(f), parent(f), name(f), length(f);
    const FromItsEnd path(f);
    const auto text = f.allocate(kLongestName + 1);
    b.call(Helper::GetTask);
    node.set(R0);
    for (const auto at : {sets, cgroup, file}) {
        readMember(f, parent, 8, node, at);
        parent.get(R1);
        node.set(R1);
    }

    f.rounds(kDeepestPath, [&](Label done) {
        readMember(f, parent, 8, node, parentAt);
        parent.get(R1);
        b.branch(Cond::Eq, R1, 0, done); // the root has no name
        readMember(f, name, 8, node, nameAt);
        b.mov(R1, Builder::kScratch);
        b.add(R1, text);
        b.mov(R2, kLongestName + 1);
        name.get(R3);
        b.call(Helper::ProbeReadKernelStr);
        b.branch(Cond::Sle, R0, 0, done);
        b.alu(AluOp::Sub, R0, 1); // its NUL
        length.set(R0);
        path.put(name, length, done);
        parent.get(R1);
        node.set(R1);
    });
    return path.text();
}
/// r0 = the first mount (struct vfsmount *) of a file system, or 0. Kernels before 6.17 keep a list of them.
void mountOf(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Cell block(f), mount(f), head(f);
    const auto mounts = f.unit.kernelOffset("super_block", "s_mounts"), inList = f.unit.kernelOffset("mount", "mnt_instance");
    integer(f, *args[0]);
    block.set(R0);
    readMember(f, mount, 8, block, mounts);
    mount.get(R0);
    b.block([&](Label none) {
        b.branch(Cond::Eq, R0, 0, none);
        if (inList >= 0) {
            block.get(R1);
            b.add(R1, mounts);
            b.when({R0, Cond::Eq, R1}, [&] {
                b.mov(R0, 0);
                b.jump(none);
            });
            b.add(R0, -inList);
        }
        b.add(R0, f.unit.kernelOffset("mount", "mnt"));
    });
}
void peek(Firing& f, const Arguments& args)
{
    const Cell address(f), word(f);
    integer(f, *args[0]);
    address.set(R0);
    readMember(f, word, 8, address, 0);
    word.get(R0);
}
void unseen(Firing& f, const Arguments&)
{
    f.countDrop(record::Drop::Kind::Firing);
    f.b.mov(R0, 0);
}
} // namespace

template <> Subroutine emitter<"d_path">() { return {.text = path}; }
template <> Subroutine emitter<"dscope_cgroup">() { return {.text = cgroupPath}; }
template <> Subroutine emitter<"dscope_path">() { return {.text = dentryPath}; }
template <> Subroutine emitter<"dscope_mount">() { return {.integer = mountOf}; }
template <> Subroutine emitter<"dscope_peek">() { return {.integer = peek}; }
template <> Subroutine emitter<"dscope_unseen">() { return {.integer = unseen}; }
} // namespace dscope::codegen
