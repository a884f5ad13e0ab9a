#pragma once
#include "engine/symbols/held_stacks.h"
#include "engine/symbols/known_processes.h"
#include <memory>
#include <optional>
#include <span>
#include <vector>
namespace dscope::symbols {
/// Names addresses of processes, and stacks of them. The functions are those of Symbolizer that have the same names.
class FrameNames {
public:
    /// What is given must outlive it.
    FrameNames(KnownProcesses& processes, Modules& modules, JitNames& jit) : m_processes(processes), m_modules(modules), m_jit(jit) { }
    record::FrameList name(std::uint32_t pid, std::span<const std::uint64_t> addresses, std::optional<record::Truncation> cut);
    std::optional<HeldStack> hold(std::uint32_t pid, std::span<const std::uint64_t> addresses);
    record::FrameList name(const HeldStack& stack, std::optional<record::Truncation> cut);
    record::Frame user(std::uint32_t pid, std::uint64_t address, Symbolizer::Address kind);
    bool holdsMuch() const { return m_held->isMuch(); }
    std::optional<std::uint32_t> javaWithoutNames() const { return m_unnamedJava; }
    std::optional<std::uint32_t> javaWithoutCallers() const { return m_lostJava; }
    void leaveOutFunctions() { m_functions = false; }
    /// Debug files may come later: a name of today is not that of tomorrow.
    void expectNames(bool may) { m_namesMayCome = may; }

private:
    using Process = KnownProcesses::Process;
    void nameGenerated(std::uint32_t pid, Process& process, std::uint64_t lookup, record::Frame& frame);
    record::Frame heldGenerated(const HeldFiles::File& file, std::uint64_t address, std::uint64_t lookup);
    std::optional<HeldFiles::Place> holdGenerated(std::uint32_t pid, Process& process, std::uint64_t address, std::uint64_t lookup);
    void noteLost(std::uint32_t pid, Process& process, std::uint64_t last);
    record::Frame frame(std::uint32_t pid, std::uint64_t address, bool isReturnAddress, bool& signal, bool alone = false);
    record::Frame frameOf(Module& module, bool main, std::uint64_t displacement, std::uint64_t address, std::uint64_t lookup, bool& signal,
        Module::Named* once = nullptr);
    void boundFrames();
    record::FrameList listOf(const NamedStacks& named, FrameStore::Frames frames, std::optional<record::Truncation> cut);
    class Asked;
    class Held;

    KnownProcesses& m_processes;
    Modules& m_modules;
    JitNames& m_jit;
    std::optional<std::uint32_t> m_unnamedJava, m_lostJava; ///< the first such processes
    bool m_functions = true;                                ///< are named
    bool m_namesMayCome = false;                            ///< of the debug files that servers are asked for
    FrameStore m_frames;
    std::shared_ptr<HeldFiles> m_held = std::make_shared<HeldFiles>();
    std::vector<HeldFiles::Place> m_holding;            ///< of the stack that is asked about
    NamedStacks m_heldNames;                            ///< by place
    const std::vector<SourcePlace>* m_places = nullptr; ///< of the last frame(); null: none
    NamedStacks::Callers m_callers{};                   ///< of the last frame()
    bool m_stays = false;                               ///< the last frame() is the same as long as the process has that mapped
};
} // namespace dscope::symbols
