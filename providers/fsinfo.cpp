#include "engine/host/processor.h"
#include "engine/probe/provider.h"
#include <list>
namespace dscope::providers {
namespace {
/// How a system call is told which file it is about.
enum class By : std::uint8_t {
    Descriptor, ///< the first argument
    Mapped,     ///< the fifth; none of anonymous memory
    Result,     ///< what it returns
    Name,       ///< the first argument, from the working directory on
    NameAt,     ///< the second, from the folder that the first is open on
    SecondName, ///< the second, from the working directory on
    LastNameAt, ///< the third, from the folder that the second is open on
};

std::string argument(std::size_t n) { return "*(uint64_t *)(raw[0] + " + std::to_string(host::kProcessor.callArguments[n]) + ")"; }
std::string fileOf(const std::string& descriptor) { return "dscope_file[(int)(" + descriptor + ")]"; }

/// D that sets what fsinfo.d translates from; its value says whether there is such a file.
std::string noted(By by)
{
    const auto open = [](const std::string& descriptor) {
        return "(this->fsinfo_name = 0, this->fsinfo_file = " + fileOf(descriptor) + ", this->fsinfo_file != NULL)";
    };
    const auto named = [](const std::string& from, const std::string& name) {
        return "(this->fsinfo_file = NULL, this->fsinfo_from = " + from + ", this->fsinfo_name = " + name + ", 1)";
    };
    const std::string here = "(struct path *)&curthread->fs->pwd";
    // Source: include/uapi/linux/fcntl.h: AT_FDCWD
    const auto folder = [&here](std::size_t n) {
        return "(int)" + argument(n) + " == -100 ? " + here + " : (this->fsinfo_file = " + fileOf(argument(n))
            + ", this->fsinfo_file == NULL ? (struct path *)NULL : (struct path *)&this->fsinfo_file->f_path)";
    };
    switch (by) {
    case By::Descriptor: return open(argument(0));
    case By::Mapped: return "(" + argument(3) + " & 0x20) == 0 && " + open(argument(4)); // MAP_ANONYMOUS
    case By::Result: return open("raw[1]");
    case By::Name: return named(here, argument(0));
    case By::SecondName: return named(here, argument(1));
    case By::NameAt: return named(folder(0), argument(1));
    case By::LastNameAt: return named(folder(1), argument(2));
    }
    return {};
}

/// The table, and the texts that its rows point to.
struct Table {
    std::vector<probe::Row> rows;
    std::list<std::string> texts;

    /// Fires when one of the calls returns with `when`; args[1] is `much`.
    void add(std::string_view probe, By by, std::vector<std::uint16_t> calls, const std::string& when, const std::string& much)
    {
        on("sys_exit", probe, "(" + when + ") && " + noted(by), std::move(calls), much);
    }
    void succeeds(std::string_view probe, By by, std::vector<std::uint16_t> calls, const std::string& much = "0")
    {
        add(probe, by, std::move(calls), "(int64_t)raw[1] >= 0", much);
    }
    void begins(std::string_view probe, By by, std::vector<std::uint16_t> calls)
    {
        on("sys_enter", probe, noted(by), std::move(calls), "0");
    }
    void missing(std::string_view probe, std::string_view why) { rows.push_back({.probe = probe, .args = arguments("0"), .why = why}); }

private:
    static std::vector<probe::Arg> arguments(const std::string& much)
    {
        return {{"raw[0]", "struct dscope_call *", "fileinfo_t *"}, {much, "int64_t", {}}};
    }
    void on(
        std::string_view tracepoint, std::string_view probe, std::string when, std::vector<std::uint16_t> calls, const std::string& much)
    {
        const auto& text = texts.emplace_back(std::move(when));
        rows.push_back({.probe = probe, .tracepoint = tracepoint, .when = text, .args = arguments(much), .systemCalls = std::move(calls)});
    }
};

/// By numbers of x86-64. Source: arch/x86/entry/syscalls/syscall_64.tbl.
Table tableOfCalls()
{
    Table t;
    t.succeeds("read", By::Descriptor, {0, 17, 19, 295, 327}, "raw[1]");      // read, pread64, readv, preadv, preadv2
    t.succeeds("write", By::Descriptor, {1, 18, 20, 40, 296, 328}, "raw[1]"); // write, pwrite64, writev, sendfile, pwritev, pwritev2
    t.succeeds("readdir", By::Descriptor, {78, 217}, "raw[1]");               // getdents, getdents64
    t.succeeds("readlink", By::Name, {89}, "raw[1]");
    t.succeeds("readlink", By::NameAt, {267}, "raw[1]"); // readlinkat
    t.succeeds("open", By::Result, {2, 85, 257, 437});   // open, creat, openat, openat2
    t.succeeds("create", By::Name, {133});               // mknod
    t.succeeds("create", By::NameAt, {259});             // mknodat
    t.begins("close", By::Descriptor, {3});              // afterwards nobody knows the file
    t.succeeds("fsync", By::Descriptor, {74, 75, 277});  // fsync, fdatasync, sync_file_range
    t.succeeds("sync", By::Descriptor, {306});           // syncfs
    t.succeeds("ioctl", By::Descriptor, {16});
    t.succeeds("seek", By::Descriptor, {8}, "raw[1]");            // lseek: where it is now
    t.succeeds("frlock", By::Descriptor, {73});                   // flock
    t.succeeds("space", By::Descriptor, {77}, argument(1));       // ftruncate: how long it is now
    t.succeeds("space", By::Descriptor, {285}, argument(3));      // fallocate: how many bytes
    t.succeeds("getattr", By::Descriptor, {5});                   // fstat
    t.succeeds("getattr", By::Name, {4, 6});                      // stat, lstat
    t.succeeds("getattr", By::NameAt, {262, 332});                // newfstatat, statx
    t.succeeds("setattr", By::Descriptor, {91, 93});              // fchmod, fchown
    t.succeeds("setattr", By::Name, {76, 90, 92, 94, 132, 235});  // truncate, chmod, chown, lchown, utime, utimes
    t.succeeds("setattr", By::NameAt, {260, 261, 268, 280, 452}); // fchownat, futimesat, fchmodat, utimensat, fchmodat2
    t.succeeds("getsecattr", By::Name, {191, 192});               // getxattr, lgetxattr
    t.succeeds("getsecattr", By::Descriptor, {193});              // fgetxattr
    t.succeeds("setsecattr", By::Name, {188, 189});               // setxattr, lsetxattr
    t.succeeds("setsecattr", By::Descriptor, {190});              // fsetxattr
    t.succeeds("access", By::Name, {21});
    t.succeeds("access", By::NameAt, {269, 439}); // faccessat, faccessat2
    t.succeeds("mkdir", By::Name, {83});
    t.succeeds("mkdir", By::NameAt, {258}); // mkdirat
    t.succeeds("rmdir", By::Name, {84});
    t.succeeds("remove", By::Name, {87});         // unlink
    t.succeeds("rename", By::Name, {82});         // what is renamed, not to what
    t.succeeds("rename", By::NameAt, {264, 316}); // renameat, renameat2
    t.succeeds("link", By::Name, {86});           // what it leads to
    t.succeeds("link", By::NameAt, {265});        // linkat
    t.succeeds("symlink", By::SecondName, {88});  // the link itself
    t.succeeds("symlink", By::LastNameAt, {266}); // symlinkat

    // One call, several probes. Source: include/linux/fs.h: FMODE_CREATED; include/uapi/asm-generic/fcntl.h: F_SETFL, F_GETLK to
    // F_SETLKW, F_OFD_GETLK to F_OFD_SETLKW; include/uapi/linux/fcntl.h: AT_REMOVEDIR
    const std::string done = "(int64_t)raw[1] >= 0 && ", command = "(int)" + argument(1);
    t.add("create", By::Result, {2, 85, 257, 437}, done + "(" + fileOf("raw[1]") + "->f_mode & 0x100000) != 0", "0");
    t.add("setfl", By::Descriptor, {72}, done + command + " == 4", "0");
    t.add("frlock", By::Descriptor, {72},
        done + "((" + command + " >= 5 && " + command + " <= 7) || (" + command + " >= 36 && " + command + " <= 38))", "0");
    t.add("rmdir", By::NameAt, {263}, done + "(" + argument(2) + " & 0x200) != 0", "0"); // unlinkat
    t.add("remove", By::NameAt, {263}, done + "(" + argument(2) + " & 0x200) == 0", "0");
    t.add("map", By::Mapped, {9}, "raw[1] < (uint64_t)-4095", argument(1)); // mmap: how many bytes

    t.missing("lookup", "a system call looks up all parts of a name at once, which no tracepoint tells; sysinfo:::namei counts names");
    for (const std::string_view page : {"getpage", "putpage", "pageio"})
        t.missing(page, "Linux moves pages without system calls: sdt:filemap and sdt:writeback tell of them, io:::start of the device");
    for (const std::string_view own : {"addmap", "delmap", "dispose", "dump", "fid", "pathconf", "poll", "rwlock", "rwunlock", "shrlock"})
        t.missing(own,
            "it is an operation of Solaris's file systems that no system call of Linux stands for; with kprobes, fbt tells of "
            "those of a file system (fbt:ext4::entry)");
    return t;
}
} // namespace

/// What Solaris's fsinfo tells of its file systems, by the system calls that ask for it: args[0] is the file (fileinfo_t), args[1]
/// how much where that is known. Probes fire when the call has succeeded; `close` when it begins, while the file is known.
std::unique_ptr<probe::Provider> make_fsinfo()
{
    static const auto table = tableOfCalls();
    return probe::synthetic({.name = "fsinfo",
                                .summary = "what programs ask of file systems, by system calls that succeeded: the file, and how much",
                                .example = "fsinfo:::read"},
        table.rows);
}
} // namespace dscope::providers
