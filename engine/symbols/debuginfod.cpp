#include "engine/symbols/debuginfod.h"
#include "engine/symbols/file_root.h"
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <system_error>
#include <unistd.h>
#if __has_include(<elfutils/debuginfod.h>)
#include <elfutils/debuginfod.h>
#define DSCOPE_HAS_DEBUGINFOD
#endif
namespace dscope::symbols {
namespace {
/// Whether this thread's download is to be given up: the library asks now and then, and hands over nothing to tell it by.
thread_local const std::atomic<bool>* t_over = nullptr;
} // namespace

#ifdef DSCOPE_HAS_DEBUGINFOD
/// The library itself: linked, it would bring thirty others along.
struct Debuginfod::Library {
    debuginfod_client* client = nullptr;
    decltype(&debuginfod_begin) begin = nullptr;
    decltype(&debuginfod_find_debuginfo) findDebuginfo = nullptr;
    decltype(&debuginfod_set_progressfn) setProgress = nullptr;
    decltype(&debuginfod_end) end = nullptr;

    Library() = default;
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library()
    {
        if (client) end(client);
    }

    bool load()
    {
        // It stays loaded: the libraries below it keep state for the life of the process, and lose it when they are taken away.
        void* const handle = ::dlopen(DEBUGINFOD_SONAME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        const auto take = [handle](auto& function, const char* name) {
            if (handle) function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle, name));
            return function != nullptr;
        };
        if (!take(begin, "debuginfod_begin") || !take(findDebuginfo, "debuginfod_find_debuginfo")
            || !take(setProgress, "debuginfod_set_progressfn") || !take(end, "debuginfod_end"))
            return false;
        client = begin();
        if (client) setProgress(client, [](debuginfod_client*, long, long) -> int { return t_over->load(); });
        return client != nullptr;
    }

    /// Where the file is in the cache; empty where no server has it.
    std::string fetch(const std::string& buildId) const
    {
        char* path = nullptr;
        const Fd file(findDebuginfo(client, reinterpret_cast<const unsigned char*>(buildId.c_str()), 0, &path));
        const std::unique_ptr<char, decltype(&std::free)> owned(path, &std::free);
        return file && path ? std::string(path) : std::string();
    }
};
#else
struct Debuginfod::Library {
    static bool load() { return false; }
    static std::string fetch(const std::string&) { return {}; }
};
#endif

Result<std::shared_ptr<Debuginfod>> Debuginfod::start()
{
    const char* const servers = std::getenv("DEBUGINFOD_URLS");
    if (!servers || !*servers) return Error{0, "option debuginfod: DEBUGINFOD_URLS names no server"};
    auto library = std::make_unique<Library>();
#ifndef DSCOPE_HAS_DEBUGINFOD
    return Error{0, "option debuginfod: dscope was built without elfutils/debuginfod.h"};
#endif
    if (!library->load()) return Error{0, "option debuginfod: libdebuginfod.so.1 cannot be loaded; Debian's package libdebuginfod1 has it"};
    std::shared_ptr<Debuginfod> self(new Debuginfod(std::move(library)));
    // Signals are for the thread that the program began with.
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::string refused;
    try {
        self->m_thread = std::thread([fetcher = self.get()] { fetcher->work(); });
    } catch (const std::system_error& e) {
        refused = e.what();
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (!refused.empty()) return Error{0, "option debuginfod: no thread can be started: " + refused};
    return self;
}

Debuginfod::Debuginfod(std::unique_ptr<Library> library) : m_library(std::move(library)) { }

Debuginfod::~Debuginfod()
{
    {
        const std::lock_guard lock(m_mutex);
        m_over = true;
    }
    m_change.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

void Debuginfod::work()
{
    t_over = &m_over;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_change.wait(lock, [this] { return m_over || !m_wanted.empty(); });
        if (m_over) return;
        const auto buildId = m_wanted.front();
        m_wanted.pop_front();
        lock.unlock();
        auto path = m_library->fetch(buildId);
        lock.lock();
        m_known[buildId] = std::move(path);
        m_answers.fetch_add(1, std::memory_order_release);
        m_change.notify_all();
    }
}

void Debuginfod::want(const std::string& buildId)
{
    const std::lock_guard lock(m_mutex);
    if (buildId.empty() || !m_known.try_emplace(buildId).second) return;
    m_wanted.push_back(buildId);
    m_change.notify_all();
}

Debuginfod::State Debuginfod::state(const std::string& buildId) const
{
    const std::lock_guard lock(m_mutex);
    const auto known = m_known.find(buildId);
    if (known == m_known.end() || !known->second) return State::UnderWay;
    return known->second->empty() ? State::Missing : State::Here;
}

std::optional<ElfFile> Debuginfod::find(const std::string& buildId) const
{
    std::string path;
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_known.find(buildId);
        if (known == m_known.end() || !known->second || known->second->empty()) return {};
        path = *known->second;
    }
    auto file = ElfFile::open(openToRead(path));
    if (!file || file->buildId() != buildId) return {};
    return std::move(*file);
}

std::size_t Debuginfod::underWay() const
{
    const std::lock_guard lock(m_mutex);
    return static_cast<std::size_t>(std::count_if(m_known.begin(), m_known.end(), [](const auto& one) { return !one.second; }));
}

void Debuginfod::await(std::chrono::milliseconds most)
{
    std::unique_lock lock(m_mutex);
    m_change.wait_for(
        lock, most, [this] { return std::all_of(m_known.begin(), m_known.end(), [](const auto& one) { return one.second.has_value(); }); });
}
} // namespace dscope::symbols
