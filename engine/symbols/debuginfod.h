#pragma once
#include "engine/base/result.h"
#include "engine/symbols/elf_file.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
namespace dscope::symbols {
/// Fetches separate debug files from the servers that DEBUGINFOD_URLS names, in a thread of its own: who asks never waits. What was
/// fetched stays in the cache that debuggers share (debuginfod-find(1)). The library is loaded when it is first needed.
class Debuginfod {
public:
    /// Error, with the way out, if no server is named, the library is missing, or dscope was built without it.
    static Result<std::shared_ptr<Debuginfod>> start();
    ~Debuginfod(); ///< gives up what is under way
    Debuginfod(const Debuginfod&) = delete;
    Debuginfod& operator=(const Debuginfod&) = delete;
    /// Asks for the debug file of a build, once.
    void want(const std::string& buildId);
    enum class State { UnderWay, Here, Missing };
    State state(const std::string& buildId) const;
    /// The file, if it is here and is of that build.
    std::optional<ElfFile> find(const std::string& buildId) const;
    /// Grows with each answer. Cheap: state() is worth asking only after a change.
    std::uint64_t answers() const { return m_answers.load(std::memory_order_acquire); }
    std::size_t underWay() const;
    /// Waits until nothing is under way, at most so long.
    void await(std::chrono::milliseconds most);

private:
    struct Library;
    explicit Debuginfod(std::unique_ptr<Library> library);
    void work();
    std::unique_ptr<Library> m_library;
    mutable std::mutex m_mutex;
    std::condition_variable m_change;
    std::deque<std::string> m_wanted;
    std::map<std::string, std::optional<std::string>> m_known; ///< by build id: the path, "" where there is none; none: under way
    std::atomic<std::uint64_t> m_answers{0};
    std::atomic<bool> m_over{false};
    std::thread m_thread;
};
} // namespace dscope::symbols
