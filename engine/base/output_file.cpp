#include "engine/base/output_file.h"
#include "engine/base/asker.h"
#include "engine/base/descriptor_stream.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
namespace dscope {
namespace {
constexpr mode_t kMode = 0666; // and the umask
constexpr mode_t kModeBits = 07777;

Error cannotWrite(const std::string& path, const Error& why) { return Error{why.code, "cannot write " + path + ": " + why.message}; }

/// What is new in a folder of the user who asked belongs to that user.
Result<> giveToAsker(int file, const Place& place)
{
    const auto user = asker();
    if (!user) return {};
    struct stat folder { };
    if (::fstat(place.folder.get(), &folder) != 0) return systemError(errno);
    if (folder.st_uid != user->uid) return {};
    const bool groupIsFolders = (folder.st_mode & S_ISGID) != 0 || !user->gid;
    if (::fchown(file, user->uid, groupIsFolders ? folder.st_gid : *user->gid) != 0) return systemError(errno);
    return {};
}
/// A name that nothing has, beside the target.
std::string freshName()
{
    static unsigned count = 0;
    return ".dscope-" + std::to_string(::getpid()) + '-' + std::to_string(++count) + '-' + std::to_string(::random());
}
bool areOne(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }
/// Who has locked a file by flock(2): "process 12 (dscope)". Source: proc_locks(5).
std::string lockerOf(const struct stat& file)
{
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        std::istringstream words(line);
        std::string number, kind, isAdvisory, access, pid, where;
        if (!(words >> number >> kind >> isAdvisory >> access >> pid >> where) || kind != "FLOCK") continue;
        if (!where.ends_with(':' + std::to_string(file.st_ino)) || pid.starts_with('-') || pid == "0") continue;
        std::ifstream comm("/proc/" + pid + "/comm");
        std::string name;
        std::getline(comm, name);
        return "process " + pid + (name.empty() ? "" : " (" + name + ')');
    }
    return "another process";
}
/// Duplicates one of our own descriptors (the file offset is shared), or opens the file of another process' descriptor.
Fd openDescriptor(const Place& place)
{
    struct stat named {
    }, own{};
    int number = -1;
    const auto& name = place.name;
    const bool isNumber = std::from_chars(name.data(), name.data() + name.size(), number).ptr == name.data() + name.size();
    if (isNumber && ::fstatat(place.folder.get(), name.c_str(), &named, 0) == 0 && ::fstat(number, &own) == 0 && named.st_dev == own.st_dev
        && named.st_ino == own.st_ino)
        return Fd(::fcntl(number, F_DUPFD_CLOEXEC, 3));
    return Fd(::openat(place.folder.get(), name.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
}
} // namespace

struct OutputFile::Impl {
    ~Impl()
    {
        stream.reset();
        if (!beside.empty() || (isNew && !begun && kind == Kind::Growing && isThere()))
            ::unlinkat(place.folder.get(), (beside.empty() ? place.name : beside).c_str(), 0);
    }

    /// Whether the name in the folder is the file that is open.
    bool isThere() const
    {
        struct stat own { };
        const auto named = place.there();
        return named && *named && ::fstat(file.get(), &own) == 0 && areOne(own, **named);
    }
    bool isLockable() const
    {
        struct stat own { };
        return kind == Kind::Growing && !place.isDescriptor && ::fstat(file.get(), &own) == 0 && S_ISREG(own.st_mode);
    }

    Result<> open();
    Result<> openInPlace(int flags);
    Result<> openLocked();
    Result<> checkPlace() const;
    Result<> openBeside(const std::optional<struct stat>& was);
    Result<bool> takeAfter(const struct stat& was) const;
    Result<> putInPlace();
    Result<> copyInPlace();

    Kind kind = Kind::Whole;
    std::string path;
    Place place;
    Fd file;
    enum class Way { Direct, Unnamed, Beside, Copied } way = Way::Direct;
    std::string beside; ///< name of what is written beside, while it has one
    bool isNew = false, begun = false;
    std::unique_ptr<DescriptorStream> stream;
};

Result<> OutputFile::Impl::openInPlace(int flags)
{
    file = Fd(::openat(place.folder.get(), place.name.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | flags, kMode));
    if (!file) return systemError(errno);
    return isNew ? giveToAsker(file.get(), place) : Result<>();
}

Result<> OutputFile::Impl::open()
{
    DSCOPE_TRY(place, Place::of(path));
    DSCOPE_TRY(const auto was, place.there());
    isNew = !was;
    if (place.isDescriptor) {
        file = openDescriptor(place);
        if (!file) return systemError(errno);
        return {};
    }
    if (was && S_ISDIR(was->st_mode)) return systemError(EISDIR);
    if (was && !S_ISREG(was->st_mode)) return openInPlace(0);
    if (kind == Kind::Appended) return openInPlace(O_CREAT | O_APPEND);
    if (kind == Kind::Growing) return openLocked();
    if (was && ::faccessat(place.folder.get(), place.name.c_str(), W_OK, AT_EACCESS) != 0) return systemError(errno);
    return openBeside(was);
}

/// Nobody else writes to it from now on who asks for the lock first. Some file systems have no locks.
Result<> OutputFile::Impl::openLocked()
{
    constexpr int kTries = 10;
    for (int i = 0; i < kTries; ++i) {
        DSCOPE_CHECK(openInPlace(O_CREAT));
        if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            isNew = false; // it is another's
            struct stat info { };
            ::fstat(file.get(), &info);
            return Error{EWOULDBLOCK, lockerOf(info) + " writes to it: name another file, or end that process first"};
        }
        if (isThere()) return {};
    }
    return Error{EAGAIN, "others create and remove it all the time"};
}

/// Whether what was written is where it was to be.
Result<> OutputFile::Impl::checkPlace() const
{
    struct stat own { };
    if (!isLockable() || ::fstat(file.get(), &own) != 0) return {};
    const auto now = Place::of(path);
    const auto named = now ? now->there() : Result<std::optional<struct stat>>(std::optional<struct stat>());
    const bool isReplaced = named && *named;
    if (isReplaced && areOne(own, **named)) return {};
    if (own.st_nlink == 0)
        return Error{0,
            isReplaced ? "another file took its place during the run, and what was written is lost"
                       : "it was removed during the run, and what was written is lost"};
    std::array<char, PATH_MAX> target{};
    const auto size = ::readlink(("/proc/self/fd/" + std::to_string(file.get())).c_str(), target.data(), target.size());
    const std::string where = size > 0 ? std::string(target.data(), static_cast<std::size_t>(size)) : "another file";
    return Error{0, "it was moved during the run, and what was written is in " + where};
}

/// Gives the new file the mode and owner of the old one. False if that is not possible.
Result<bool> OutputFile::Impl::takeAfter(const struct stat& was) const
{
    struct stat now { };
    if (::fstat(file.get(), &now) != 0) return systemError(errno);
    if ((now.st_uid != was.st_uid || now.st_gid != was.st_gid) && ::fchown(file.get(), was.st_uid, was.st_gid) != 0) return false;
    return ::fchmod(file.get(), was.st_mode & kModeBits) == 0;
}

Result<> OutputFile::Impl::openBeside(const std::optional<struct stat>& was)
{
    // Without a name it is gone when we are killed. It gets one through /proc.
    way = Way::Unnamed;
    if (::access("/proc/self/fd", X_OK) == 0) file = Fd(::openat(place.folder.get(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode));
    if (!file) {
        way = Way::Beside;
        beside = freshName();
        file = Fd(::openat(place.folder.get(), beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode));
        if (!file) beside.clear();
    }

    const int why = file ? 0 : errno;
    if (file && !was) return giveToAsker(file.get(), place);
    if (file) {
        DSCOPE_TRY(const bool isAlike, takeAfter(*was));
        if (isAlike) return {};
    } else if (!was || (why != EACCES && why != EPERM)) {
        return systemError(why);
    }

    way = Way::Copied;
    if (!beside.empty()) ::unlinkat(place.folder.get(), std::exchange(beside, {}).c_str(), 0);
    file = Fd(::memfd_create("dscope-output", MFD_CLOEXEC));
    if (!file) return systemError(errno);
    return {};
}

Result<> OutputFile::Impl::copyInPlace()
{
    const Fd target(::openat(place.folder.get(), place.name.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!target) return systemError(errno);
    struct stat info { };
    if (::fstat(file.get(), &info) != 0) return systemError(errno);
    // The room is taken before a byte is lost. Some file systems can't do that.
    if (info.st_size > 0 && ::fallocate(target.get(), FALLOC_FL_KEEP_SIZE, 0, info.st_size) != 0 && errno != EOPNOTSUPP)
        return systemError(errno);

    for (off_t at = 0; at < info.st_size;) {
        const auto size = static_cast<std::size_t>(std::min<off_t>(info.st_size - at, off_t{1} << 20));
        std::string piece(size, '\0');
        const auto got = ::pread(file.get(), piece.data(), size, at);
        const auto put = got > 0 ? ::pwrite(target.get(), piece.data(), static_cast<std::size_t>(got), at) : got;
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return systemError(put < 0 ? errno : EIO);
        at += put;
    }
    if (::ftruncate(target.get(), info.st_size) != 0) return systemError(errno);
    return {};
}

Result<> OutputFile::Impl::putInPlace()
{
    // What replaces another file is on the disk before that one goes: a machine that stops in between loses neither.
    if (!isNew && ::fdatasync(file.get()) != 0 && errno != EINVAL) return systemError(errno);
    if (way == Way::Unnamed) {
        const auto self = "/proc/self/fd/" + std::to_string(file.get());
        beside = freshName();
        if (::linkat(AT_FDCWD, self.c_str(), place.folder.get(), beside.c_str(), AT_SYMLINK_FOLLOW) != 0) {
            const int why = errno;
            beside.clear();
            return systemError(why);
        }
    }
    if (::renameat(place.folder.get(), beside.c_str(), place.folder.get(), place.name.c_str()) != 0) return systemError(errno);
    beside.clear();
    return {};
}

OutputFile::OutputFile(std::unique_ptr<Impl> impl) : m(std::move(impl)) { }
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

Result<OutputFile> OutputFile::open(const std::string& path, Kind kind)
{
    auto impl = std::make_unique<Impl>();
    impl->kind = kind;
    impl->path = path;
    if (auto opened = impl->open(); !opened) return cannotWrite(path, opened.error());
    return OutputFile(std::move(impl));
}
Result<> OutputFile::check(const std::string& path)
{
    const auto refused = [&](const Error& why) { return cannotWrite(path, why); };
    auto place = Place::of(path);
    if (!place) return refused(place.error());
    const auto was = place->there();
    if (!was) return refused(was.error());
    if (*was && S_ISDIR((*was)->st_mode)) return refused(systemError(EISDIR));
    const bool isAllowed = *was ? ::faccessat(place->folder.get(), place->name.c_str(), W_OK, AT_EACCESS) == 0
                                : ::faccessat(place->folder.get(), ".", W_OK | X_OK, AT_EACCESS) == 0;
    if (!isAllowed) return refused(systemError(errno));
    return {};
}
int OutputFile::descriptor() const { return m->file.get(); }
const std::string& OutputFile::path() const { return m->path; }
std::ostream& OutputFile::stream()
{
    if (!m->stream) m->stream = std::make_unique<DescriptorStream>(m->file.get());
    return *m->stream;
}
std::optional<Error> OutputFile::error() const
{
    if (!m->stream || m->stream->failure() == 0) return {};
    return refused(systemError(m->stream->failure()));
}
Error OutputFile::refused(const Error& why) const { return cannotWrite(m->path, why); }

Result<> OutputFile::begin()
{
    m->begun = true;
    struct stat info { };
    const bool isRegular = ::fstat(m->file.get(), &info) == 0 && S_ISREG(info.st_mode);
    if (isRegular && !m->place.isDescriptor && ::ftruncate(m->file.get(), 0) != 0) return refused(systemError(errno));
    return {};
}

bool OutputFile::isLocked() const { return m->isLockable(); }
Fd OutputFile::reopened() const
{
    return Fd(::open(("/proc/self/fd/" + std::to_string(m->file.get())).c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
}

Result<> OutputFile::checkKept() const
{
    struct stat own { };
    if (!m->isLockable() || ::fstat(m->file.get(), &own) != 0) return {};
    if (own.st_nlink == 0)
        if (auto kept = m->checkPlace(); !kept) return refused(kept.error());
    if (own.st_size < ::lseek(m->file.get(), 0, SEEK_CUR))
        return refused(Error{0, "another program shortened it during the run, and what was written is lost"});
    return {};
}

Result<> OutputFile::commit()
{
    m->begun = true;
    if (m->stream) m->stream->flush();
    if (auto failed = error()) return *failed;
    DSCOPE_CHECK(checkKept());
    if (auto kept = m->checkPlace(); !kept) return refused(kept.error());
    auto done = m->way == Impl::Way::Direct ? Result<>() : m->way == Impl::Way::Copied ? m->copyInPlace() : m->putInPlace();
    if (!done) return refused(done.error());
    // A file of the network may tell only now that there was no room.
    if (::close(m->file.release()) != 0 && errno != EINTR) return refused(systemError(errno));
    return {};
}
} // namespace dscope
