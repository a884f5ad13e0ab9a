#pragma once
#include "engine/base/fd.h"
#include "engine/symbols/table_cache.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>
namespace dscope::session {
/// Makes the unwind tables of whole files on a thread of its own, or takes them from the cache: until a file's are there, stacks through it
/// are copied.
class TableMaker {
public:
    /// Files with more than `most` rows get no table: it would take memory, and the kernel would have no room for it.
    explicit TableMaker(const std::string& folder, std::size_t most = object::kWalkRows);
    ~TableMaker();
    TableMaker(const TableMaker&) = delete;
    /// Asks for a file's table, unless it was asked for before. False where none can be made: the file is closed, or in memory.
    bool want(const std::shared_ptr<symbols::Module>& module);
    /// Whether a file's table was asked for and was not take()n yet.
    bool isUnderWay(const std::shared_ptr<symbols::Module>& module) const { return m_underWay.contains(module); }
    struct Made {
        std::shared_ptr<symbols::Module> module;
        symbols::WholeTable table; ///< without rows: there is none
    };
    /// What was made since.
    std::vector<Made> take();
    /// Waits until all that was wanted has been made, at most so long.
    void await(std::chrono::milliseconds most, const std::function<bool()>& isOver = {});
    /// Readable when there is something to take().
    int fd() const { return m_ready.get(); }
    /// Tables may be asked for again: the kernel forgot them.
    void forget() { m_asked = m_leftOut; }
    /// But not that of this file, for which there was no room.
    void leaveOut(const std::shared_ptr<symbols::Module>& module) { m_leftOut.insert(module); }

private:
    struct Job {
        std::shared_ptr<symbols::Module> module; ///< not looked into by the thread
        std::unique_ptr<symbols::Module> own;    ///< of the same file
    };
    using Owned = std::set<std::weak_ptr<symbols::Module>, std::owner_less<>>;
    void work();
    symbols::WholeTable make(symbols::Module& module) const;

    symbols::TableCache m_cache;
    std::size_t m_most;
    Fd m_ready;
    Owned m_asked, m_underWay, m_leftOut;
    std::mutex m_mutex; ///< of what follows
    std::condition_variable m_changed;
    std::deque<Job> m_jobs;
    std::vector<Made> m_made;
    bool m_isBusy = false;
    std::atomic<bool> m_over = false;
    std::thread m_thread; ///< begins with the first job
};
} // namespace dscope::session
