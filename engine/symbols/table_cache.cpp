#include "engine/symbols/table_cache.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <span>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
namespace dscope::symbols {
namespace {
constexpr std::string_view kSuffix = ".walk", kUnfinished = ".new";
/// Changes with what rows and pages mean (engine/object/walk.h), and with how they are compiled.
constexpr std::uint32_t kVersion = 4;
struct Head {
    std::array<char, 8> magic{'d', 's', 'c', 'o', 'p', 'e', 'W', 'T'};
    std::uint32_t version = kVersion;
    std::uint32_t architecture = static_cast<std::uint32_t>(kOwnArchitecture);
    std::uint64_t checksum = 0; ///< of all that follows
    std::uint64_t runs = 0, pages = 0, rows = 0, rules = 0;
    std::uint64_t size = 0; ///< TableCache::Key
    std::uint32_t owner = 0;
    std::array<char, 68> id{};
};
static_assert(sizeof(Head) == 136);
constexpr std::size_t kSummedFrom = offsetof(Head, runs);

/// Against chance, not against malice: who may write here may do anything. Four sums at a time, which processors do in parallel.
/// Source of the constant: as that of codegen::kKeyPower.
class Checksum {
public:
    void add(std::span<const std::byte> bytes)
    {
        constexpr std::size_t kAtATime = sizeof m_sums;
        std::size_t at = 0;
        for (; bytes.size() - at >= kAtATime; at += kAtATime)
            mix(bytes.data() + at, kAtATime);
        if (at < bytes.size()) mix(bytes.data() + at, bytes.size() - at);
    }
    std::uint64_t value() const
    {
        std::uint64_t all = 0;
        for (const auto sum : m_sums)
            all = (all ^ sum ^ sum >> 32) * kPower;
        return all;
    }

private:
    static constexpr std::uint64_t kPower = 0xd1342543de82ef95U;
    void mix(const std::byte* bytes, std::size_t size)
    {
        std::array<std::uint64_t, 4> words{size, size, size, size};
        std::memcpy(words.data(), bytes, size);
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto mixed = (m_sums[i] ^ words[i]) * kPower;
            m_sums[i] = mixed ^ mixed >> 29;
        }
    }
    std::array<std::uint64_t, 4> m_sums{1, 2, 3, 4};
};

template <typename T> std::span<std::byte> bytesOf(std::vector<T>& items) { return std::as_writable_bytes(std::span(items)); }
template <typename T> std::span<const std::byte> bytesOf(const std::vector<T>& items) { return std::as_bytes(std::span(items)); }

bool isSafe(const struct stat& status)
{
    return (status.st_uid == 0 || status.st_uid == ::geteuid()) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}
bool readAll(int fd, std::span<std::byte> to, off_t& at)
{
    while (!to.empty()) {
        const auto got = ::pread(fd, to.data(), to.size(), at);
        if (got <= 0) return false;
        to = to.subspan(static_cast<std::size_t>(got));
        at += got;
    }
    return true;
}
bool writeAll(int fd, std::span<const std::byte> from)
{
    while (!from.empty()) {
        const auto put = ::write(fd, from.data(), from.size());
        if (put <= 0) return false;
        from = from.subspan(static_cast<std::size_t>(put));
    }
    return true;
}
/// Two versions of dscope that take turns do not make each other's tables anew.
std::string nameOf(const TableCache::Key& key)
{
    return key.id + '-' + std::to_string(key.owner) + '-' + std::to_string(kVersion) + std::string(kSuffix);
}

Head headOf(const TableCache::Key& key)
{
    Head head;
    head.size = key.size;
    head.owner = key.owner;
    std::memcpy(head.id.data(), key.id.data(), std::min(key.id.size(), head.id.size()));
    return head;
}
std::uint64_t checksumOf(const Head& head, const WholeTable& table)
{
    Checksum sum;
    sum.add(std::as_bytes(std::span(&head, 1)).subspan(kSummedFrom));
    sum.add(bytesOf(table.runs));
    sum.add(bytesOf(table.pages));
    sum.add(bytesOf(table.rows));
    sum.add(bytesOf(table.rules));
    return sum.value();
}
} // namespace

std::optional<TableCache::Key> TableCache::Key::of(const ElfFile& file)
{
    struct stat status { };
    const auto fd = file.descriptor();
    if (!fd || ::fstat(fd.get(), &status) != 0) return {};
    auto id = file.buildId();
    if (id.empty())
        for (const auto part : {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_ctim.tv_sec),
                 static_cast<std::uint64_t>(status.st_ctim.tv_nsec)})
            id += (id.empty() ? "" : ".") + std::to_string(part);
    if (id.size() > sizeof(Head::id)) return {};
    return Key{std::move(id), status.st_uid, file.size()};
}

TableCache::TableCache(const std::string& folder, std::uint64_t mostBytes) : m_mostBytes(mostBytes)
{
    if (folder.empty()) return;
    constexpr mode_t kOthersRead = 0755;
    ::mkdir(folder.c_str(), kOthersRead); // most often it is there
    Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    struct stat status { };
    if (fd && ::fstat(fd.get(), &status) == 0 && isSafe(status)) m_folder = std::move(fd);
}

std::optional<WholeTable> TableCache::load(const Key& key, std::size_t most) const
{
    if (!m_folder) return {};
    const Fd fd(::openat(m_folder.get(), nameOf(key).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status { };
    Head head, wanted = headOf(key);
    off_t at = 0;
    if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode) || !isSafe(status)) return {};
    if (!readAll(fd.get(), std::as_writable_bytes(std::span(&head, 1)), at)) return {};
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
    if (head.runs > kMost || head.pages > kMost || head.rows > kMost || head.rules > kMost) return {};
    wanted.checksum = head.checksum;
    wanted.runs = head.runs;
    wanted.pages = head.pages;
    wanted.rows = head.rows;
    wanted.rules = head.rules;
    const auto size = sizeof head + head.runs * sizeof(WholeTable::Run) + head.pages * sizeof(std::uint32_t)
        + head.rows * sizeof(object::WalkRow) + head.rules * sizeof(std::uint64_t);
    if (std::memcmp(&head, &wanted, sizeof head) != 0 || size != static_cast<std::uint64_t>(status.st_size)) return {};
    if (head.rows > most) return WholeTable{};

    WholeTable table;
    table.runs.resize(head.runs);
    table.pages.resize(head.pages);
    table.rows.resize(head.rows);
    table.rules.resize(head.rules);
    for (const auto part : {bytesOf(table.runs), bytesOf(table.pages), bytesOf(table.rows), bytesOf(table.rules)})
        if (!readAll(fd.get(), part, at)) return {};
    if (checksumOf(head, table) != head.checksum || !table.isSound()) return {};
    ::futimens(fd.get(), nullptr); // used now; only its owner may say so
    return table;
}

void TableCache::store(const Key& key, const WholeTable& table) const
{
    if (!m_folder || table.rows.empty()) return;
    auto head = headOf(key);
    head.runs = table.runs.size();
    head.pages = table.pages.size();
    head.rows = table.rows.size();
    head.rules = table.rules.size();
    head.checksum = checksumOf(head, table);
    const auto name = nameOf(key), unfinished = name + '.' + std::to_string(::getpid()) + std::string(kUnfinished);
    ::unlinkat(m_folder.get(), unfinished.c_str(), 0); // of another one that had our number
    constexpr mode_t kOthersRead = 0644;
    const Fd fd(::openat(m_folder.get(), unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, kOthersRead));
    if (!fd) return;
    const bool isWritten = writeAll(fd.get(), std::as_bytes(std::span(&head, 1))) && writeAll(fd.get(), bytesOf(table.runs))
        && writeAll(fd.get(), bytesOf(table.pages)) && writeAll(fd.get(), bytesOf(table.rows)) && writeAll(fd.get(), bytesOf(table.rules));
    if (!isWritten || ::renameat(m_folder.get(), unfinished.c_str(), m_folder.get(), name.c_str()) != 0)
        ::unlinkat(m_folder.get(), unfinished.c_str(), 0);
    bound();
}

/// Removes what was not used for longest, down to three quarters, where there is too much.
void TableCache::bound() const
{
    struct One {
        std::int64_t used;
        std::uint64_t size;
        std::string name;
    };
    std::vector<One> all;
    std::uint64_t bytes = 0;
    struct Close {
        void operator()(DIR* open) const { ::closedir(open); }
    };
    const std::unique_ptr<DIR, Close> folder(::fdopendir(::openat(m_folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    while (const auto* entry = folder ? ::readdir(folder.get()) : nullptr) {
        const std::string_view name(entry->d_name);
        struct stat status { };
        if (!name.ends_with(kSuffix) && !name.ends_with(kUnfinished)) continue; // not ours
        if (::fstatat(m_folder.get(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode)) continue;
        bytes += static_cast<std::uint64_t>(status.st_size);
        all.push_back({status.st_mtim.tv_sec, static_cast<std::uint64_t>(status.st_size), std::string(name)});
    }

    if (bytes <= m_mostBytes) return;
    std::sort(all.begin(), all.end(), [](const One& a, const One& b) { return a.used < b.used; });
    for (const auto& one : all) {
        if (bytes <= m_mostBytes / 4 * 3) return;
        if (::unlinkat(m_folder.get(), one.name.c_str(), 0) == 0) bytes -= one.size;
    }
}
} // namespace dscope::symbols
