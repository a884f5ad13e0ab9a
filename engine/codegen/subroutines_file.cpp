#include "engine/codegen/expressions.h"
#include "engine/codegen/path_from_end.h"
#include "engine/codegen/subroutine.h"
#include "engine/codegen/text.h"
/// Files: where the kernel's directory entries and mounts say that they are.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;
constexpr std::uint32_t kDeepestPath = 128; // directories and mounts on the way to the root

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
template <> Subroutine emitter<"dscope_path">() { return {.text = dentryPath}; }
template <> Subroutine emitter<"dscope_mount">() { return {.integer = mountOf}; }
template <> Subroutine emitter<"dscope_peek">() { return {.integer = peek}; }
template <> Subroutine emitter<"dscope_unseen">() { return {.integer = unseen}; }
} // namespace dscope::codegen
