#include "engine/host/processor.h"
#include "engine/probe/provider.h"
#include <list>
namespace dscope::providers {
namespace {
/// How a system call is told which file it is about.
enum class FileBy : std::uint8_t {
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
std::string noted(FileBy by)
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
    case FileBy::Descriptor: return open(argument(0));
    case FileBy::Mapped: return "(" + argument(3) + " & 0x20) == 0 && " + open(argument(4)); // MAP_ANONYMOUS
    case FileBy::Result: return open("raw[1]");
    case FileBy::Name: return named(here, argument(0));
    case FileBy::SecondName: return named(here, argument(1));
    case FileBy::NameAt: return named(folder(0), argument(1));
    case FileBy::LastNameAt: return named(folder(1), argument(2));
    }
    return {};
}

/// The table, and the texts that its rows point to.
struct Table {
    std::vector<probe::Row> rows;
    std::list<std::string> texts;

    /// Fires when one of the calls returns with `when`; args[1] is `much`.
    void add(std::string_view probe, FileBy by, std::vector<std::uint16_t> calls, const std::string& when, const std::string& much)
    {
        on("sys_exit", probe, "(" + when + ") && " + noted(by), std::move(calls), much);
    }
    void succeeds(std::string_view probe, FileBy by, std::vector<std::uint16_t> calls, const std::string& much = "0")
    {
        add(probe, by, std::move(calls), "(int64_t)raw[1] >= 0", much);
    }
    void begins(std::string_view probe, FileBy by, std::vector<std::uint16_t> calls)
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
    t.succeeds("read", FileBy::Descriptor, {0, 17, 19, 295, 327}, "raw[1]");      // read, pread64, readv, preadv, preadv2
    t.succeeds("write", FileBy::Descriptor, {1, 18, 20, 40, 296, 328}, "raw[1]"); // write, pwrite64, writev, sendfile, pwritev, pwritev2
    t.succeeds("readdir", FileBy::Descriptor, {78, 217}, "raw[1]");               // getdents, getdents64
    t.succeeds("readlink", FileBy::Name, {89}, "raw[1]");
    t.succeeds("readlink", FileBy::NameAt, {267}, "raw[1]"); // readlinkat
    t.succeeds("open", FileBy::Result, {2, 85, 257, 437});   // open, creat, openat, openat2
    t.succeeds("create", FileBy::Name, {133});               // mknod
    t.succeeds("create", FileBy::NameAt, {259});             // mknodat
    t.begins("close", FileBy::Descriptor, {3});              // afterwards nobody knows the file
    t.succeeds("fsync", FileBy::Descriptor, {74, 75, 277});  // fsync, fdatasync, sync_file_range
    t.succeeds("sync", FileBy::Descriptor, {306});           // syncfs
    t.succeeds("ioctl", FileBy::Descriptor, {16});
    t.succeeds("seek", FileBy::Descriptor, {8}, "raw[1]");            // lseek: where it is now
    t.succeeds("frlock", FileBy::Descriptor, {73});                   // flock
    t.succeeds("space", FileBy::Descriptor, {77}, argument(1));       // ftruncate: how long it is now
    t.succeeds("space", FileBy::Descriptor, {285}, argument(3));      // fallocate: how many bytes
    t.succeeds("getattr", FileBy::Descriptor, {5});                   // fstat
    t.succeeds("getattr", FileBy::Name, {4, 6});                      // stat, lstat
    t.succeeds("getattr", FileBy::NameAt, {262, 332});                // newfstatat, statx
    t.succeeds("setattr", FileBy::Descriptor, {91, 93});              // fchmod, fchown
    t.succeeds("setattr", FileBy::Name, {76, 90, 92, 94, 132, 235});  // truncate, chmod, chown, lchown, utime, utimes
    t.succeeds("setattr", FileBy::NameAt, {260, 261, 268, 280, 452}); // fchownat, futimesat, fchmodat, utimensat, fchmodat2
    t.succeeds("getsecattr", FileBy::Name, {191, 192});               // getxattr, lgetxattr
    t.succeeds("getsecattr", FileBy::Descriptor, {193});              // fgetxattr
    t.succeeds("setsecattr", FileBy::Name, {188, 189});               // setxattr, lsetxattr
    t.succeeds("setsecattr", FileBy::Descriptor, {190});              // fsetxattr
    t.succeeds("access", FileBy::Name, {21});
    t.succeeds("access", FileBy::NameAt, {269, 439}); // faccessat, faccessat2
    t.succeeds("mkdir", FileBy::Name, {83});
    t.succeeds("mkdir", FileBy::NameAt, {258}); // mkdirat
    t.succeeds("rmdir", FileBy::Name, {84});
    t.succeeds("remove", FileBy::Name, {87});         // unlink
    t.succeeds("rename", FileBy::Name, {82});         // what is renamed, not to what
    t.succeeds("rename", FileBy::NameAt, {264, 316}); // renameat, renameat2
    t.succeeds("link", FileBy::Name, {86});           // what it leads to
    t.succeeds("link", FileBy::NameAt, {265});        // linkat
    t.succeeds("symlink", FileBy::SecondName, {88});  // the link itself
    t.succeeds("symlink", FileBy::LastNameAt, {266}); // symlinkat

    // One call, several probes. Source: include/linux/fs.h: FMODE_CREATED; include/uapi/asm-generic/fcntl.h: F_SETFL, F_GETLK to
    // F_SETLKW, F_OFD_GETLK to F_OFD_SETLKW; include/uapi/linux/fcntl.h: AT_REMOVEDIR
    const std::string done = "(int64_t)raw[1] >= 0 && ", command = "(int)" + argument(1);
    t.add("create", FileBy::Result, {2, 85, 257, 437}, done + "(" + fileOf("raw[1]") + "->f_mode & 0x100000) != 0", "0");
    t.add("setfl", FileBy::Descriptor, {72}, done + command + " == 4", "0");
    t.add("frlock", FileBy::Descriptor, {72},
        done + "((" + command + " >= 5 && " + command + " <= 7) || (" + command + " >= 36 && " + command + " <= 38))", "0");
    t.add("rmdir", FileBy::NameAt, {263}, done + "(" + argument(2) + " & 0x200) != 0", "0"); // unlinkat
    t.add("remove", FileBy::NameAt, {263}, done + "(" + argument(2) + " & 0x200) == 0", "0");
    t.add("map", FileBy::Mapped, {9}, "raw[1] < (uint64_t)-4095", argument(1)); // mmap: how many bytes

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
