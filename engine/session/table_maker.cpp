#include "engine/session/table_maker.h"
#include <csignal>
#include <pthread.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
namespace dscope::session {
TableMaker::TableMaker(const std::string& folder, std::size_t most)
    : m_cache(folder), m_most(most), m_ready(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
}

TableMaker::~TableMaker()
{
    m_over = true;
    std::unique_lock lock(m_mutex); // the thread looks before it waits
    lock.unlock();
    m_changed.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

bool TableMaker::want(const std::shared_ptr<symbols::Module>& module)
{
    if (m_asked.contains(module)) return true;
    auto file = symbols::ElfFile::open(module->file().descriptor());
    if (!m_ready || !file) return false;
    constexpr std::size_t kMost = object::kWalkFiles;
    for (auto* modules : {&m_asked, &m_leftOut})
        if (modules->size() > kMost) std::erase_if(*modules, [](const auto& one) { return one.expired(); });
    m_asked.insert(module);
    m_underWay.insert(module);
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back({module, std::make_unique<symbols::Module>(*std::move(file), module->name(), module->places())});
    }

    m_changed.notify_all();
    if (m_thread.joinable()) return true;
    // Signals are for the threads that expect them.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        m_thread = std::thread([this] { work(); });
    } catch (const std::system_error&) { // its tables come in parts, as they are met
        const std::lock_guard lock(m_mutex);
        m_jobs.clear();
        m_underWay.clear();
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return m_thread.joinable();
}

symbols::WholeTable TableMaker::make(symbols::Module& module) const
{
    constexpr std::size_t kFewRows = 8192; // compiled faster than a file is opened
    const auto key = symbols::TableCache::Key::of(module.file());
    if (key)
        if (auto known = m_cache.load(*key, m_most)) return *std::move(known);
    auto made = symbols::compileWholeTable(module, m_over, m_most);
    if (key && made.rows.size() >= kFewRows && module.tellsItsRules()) m_cache.store(*key, made);
    return made;
}

void TableMaker::work()
{
    std::unique_lock lock(m_mutex);
    while (!m_over) {
        if (m_jobs.empty()) {
            m_changed.wait(lock);
            continue;
        }
        auto job = std::move(m_jobs.front());
        m_jobs.pop_front();
        m_isBusy = true;
        lock.unlock();
        auto table = make(*job.own);
        job.own.reset();
        lock.lock();
        m_made.push_back({std::move(job.module), std::move(table)});
        m_isBusy = false;
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto told = ::write(m_ready.get(), &one, sizeof one);
        m_changed.notify_all();
    }
}

std::vector<TableMaker::Made> TableMaker::take()
{
    std::uint64_t count = 0;
    [[maybe_unused]] const auto told = ::read(m_ready.get(), &count, sizeof count);
    std::vector<Made> made;
    {
        const std::lock_guard lock(m_mutex);
        made.swap(m_made);
    }
    for (const auto& one : made)
        m_underWay.erase(one.module);
    return made;
}

void TableMaker::await(std::chrono::milliseconds most, const std::function<bool()>& isOver)
{
    constexpr std::chrono::milliseconds kLook(20); // a signal handler cannot notify this
    const auto deadline = std::chrono::steady_clock::now() + most;
    const auto isDone = [this] { return m_jobs.empty() && !m_isBusy; };
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, kLook, isDone) && std::chrono::steady_clock::now() < deadline)
        if (isOver && isOver()) return;
}
} // namespace dscope::session
