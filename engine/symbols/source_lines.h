#pragma once
#include "engine/base/result.h"
#include "engine/symbols/debug_lines.h"
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>
namespace dscope::symbols {
/// The debug information of all files whose lines are asked for. Few are kept open: those used least recently are closed, and
/// opened again when they are asked again.
class SourceLines {
public:
    static constexpr std::size_t kMemory = std::size_t{512} << 20; ///< bytes of open files together, unless one alone is larger
    static constexpr std::size_t kMostFiles = 64;                  ///< open at a time
    /// Error, with the way out, if libdw is missing, or dscope was built without it.
    static Result<std::shared_ptr<SourceLines>> start();
    ~SourceLines();
    SourceLines(const SourceLines&) = delete;
    SourceLines& operator=(const SourceLines&) = delete;
    /// `owner`: who asks, always for the same file; `open`: opens it, or gives no descriptor.
    std::vector<SourcePlace> at(const void* owner, const std::function<Fd()>& open, std::uint64_t address);
    /// The owner is gone, or has another file from now on.
    void forget(const void* owner);

private:
    explicit SourceLines(std::unique_ptr<const DwarfLibrary> library);
    struct Open {
        const void* owner;
        std::unique_ptr<DebugLines> lines; ///< null: the file tells nothing
    };
    void makeRoom();
    record::Shared<std::string> interned(const char* name);
    std::unique_ptr<const DwarfLibrary> m_library;
    std::list<Open> m_open; ///< used last first; those that tell nothing, too
    std::unordered_map<const void*, std::list<Open>::iterator> m_byOwner;
    std::unordered_map<std::string, record::Shared<std::string>> m_files; ///< names of source files
};
/// Appends `frame` with its source place. Each inlined function at its address becomes a frame before it.
void addFrames(std::vector<record::Frame>& frames, record::Frame frame, std::span<const SourcePlace> places);
} // namespace dscope::symbols
