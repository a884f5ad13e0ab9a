#pragma once
#include "engine/symbols/module.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
namespace dscope::symbols {
struct GeneratedCode;
struct Mapping;
/// The files of stacks that are kept to be named later (HeldStack): they stay open or read, whatever becomes of the processes.
class HeldFiles {
public:
    struct File {
        std::shared_ptr<Module> module;
        bool main = false;                        ///< the program itself, of its process
        std::uint64_t displacement = 0;           ///< of the first process that it was met in: address = linked address + displacement
        std::size_t frames = 0;                   ///< that are held
        std::shared_ptr<GeneratedCode> generated; ///< null: of a file. Else `displacement` is the upper part of the address
        bool java = false;                        ///< of such code: the process runs Java
        std::string function{};                   ///< of such code: what it was called when it was held, and where that begins;
        std::uint64_t start = 0;                  ///< empty: it had no name yet
    };
    /// A frame's file above kLinkedBits, below it its linked address. Equal code of different processes has equal places.
    using Place = std::uint64_t;
    static constexpr unsigned kLinkedBits = 40;
    /// The place of an address, which lies in the mapping or just behind it. None: it cannot be told so.
    std::optional<Place> place(const Mapping& mapping, std::uint64_t address);
    /// The place of an address in generated code, or none, as above. `file`: all but its displacement and frames.
    std::optional<Place> place(File file, std::uint64_t address);
    /// The file of a place that is held, and the linked address.
    const File& file(Place place) const { return m_files.at(place >> kLinkedBits); }
    static std::uint64_t linked(Place place) { return place & ((Place{1} << kLinkedBits) - 1); }
    void hold(std::span<const Place> places);
    void release(std::span<const Place> places);
    /// So much is held that it is time to name it: some hundred files, thousands of generated functions, 8 MB of frames, or as much
    /// of names.
    bool isMuch() const
    {
        return m_frames > kMostFrames || m_numbers.size() > kMostFiles || m_generated.size() > kMostGenerated
            || m_nameBytes > kMostNameBytes;
    }

private:
    static constexpr std::size_t kMostFrames = 1U << 20U, kMostFiles = 300, kMostGenerated = 10'000, kMostNameBytes = 16U << 20U;
    bool hasNumber() const { return m_next >> (64 - kLinkedBits) == 0; } ///< numbers are never used again: long runs may have none left
    using GeneratedKey = std::tuple<const GeneratedCode*, std::uint64_t, std::string, std::uint64_t>; ///< displacement, function, start
    std::map<GeneratedKey, std::uint64_t> m_generated;
    std::map<std::uint64_t, File> m_files; ///< by number, which no other file ever has
    std::map<std::pair<const Module*, bool>, std::uint64_t> m_numbers;
    std::uint64_t m_next = 0;
    std::size_t m_frames = 0, m_nameBytes = 0; ///< m_nameBytes: of generated functions
    struct Last {
        const Module* module = nullptr;
        bool main = false;
        std::uint64_t number = 0;
    } m_last; ///< most frames are of the same file as the one before
};
/// A stack whose frames are known by file and linked address, and have no names yet. Its files are held as long as it is there.
class HeldStack {
public:
    HeldStack(std::shared_ptr<HeldFiles> files, std::span<const HeldFiles::Place> places);
    ~HeldStack();
    HeldStack(HeldStack&&) noexcept = default;
    HeldStack& operator=(HeldStack&&) = delete;
    HeldStack(const HeldStack&) = delete;
    HeldStack& operator=(const HeldStack&) = delete;
    std::span<const HeldFiles::Place> places() const { return m_places; }

private:
    std::shared_ptr<HeldFiles> m_files;
    std::vector<HeldFiles::Place> m_places;
};
} // namespace dscope::symbols
