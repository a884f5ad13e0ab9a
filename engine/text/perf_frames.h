#pragma once
#include "engine/base/interned.h"
#include "engine/record/stack_table.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
/// The lines of stacks that perf script prints. Source: linux/tools/perf/util/evsel_fprintf.c, sample__fprintf_callchain()
namespace dscope::text::perf {
/// "    7f722d142778 func+0x12 (/lib/libc.so.6)": its function and its object, which -F may leave out.
struct FrameLine {
    std::string_view function, object;
    bool hasObject = false;
    std::string_view address;
};
/// Nothing: the line is none. Views are of the line.
std::optional<FrameLine> frameOf(std::string_view line);
/// "f+0x1 (/srv/app)" of "f+0x1 (/srv/app) =>  55bb g+0x0 (/srv/app)" and of "f+0x1 (/srv/app)  0x55/0x66/P/-/-/5": where a branch led to
/// (-F addr, brstack). Source: linux/tools/perf/builtin-script.c, perf_sample__fprintf_bts() and perf_sample__fprintf_brstack()
std::string_view withoutBranches(std::string_view line);
/// Whether a line has the address of a frame in front, rather than a command that reads like one.
bool isSurelyFrame(std::string_view line);
/// Stands in the place of the object.
inline constexpr std::string_view kInlined = "inlined";
/// "libc.so.6" of "/usr/lib/x86_64-linux-gnu/libc.so.6"; empty: no file is known, or it is the kernel's or generated code.
std::string_view moduleOf(std::string_view object);

/// "  mix.c:31": the line of source behind a frame, of -F +srcline.
struct SourceLine {
    std::string_view file;  ///< of the line
    std::uint32_t line = 0; ///< from 1; 0: it is not known
};
/// Nothing: it is no line of source.
std::optional<SourceLine> sourceOf(std::string_view line);

/// The frames that lines of stacks stand for. A function of an object is read once, however many addresses of it are met.
class FrameNames {
public:
    /// A step of a stack. Of a function that was inlined the object is not known before that of the function around it.
    struct Step {
        std::string name;
        record::Frame::Kind kind = record::Frame::Kind::Unknown;
        bool inlined = false;
        std::string module = {};
        std::string descriptor = {}; ///< of a method of Java
    };
    /// The outermost first; none: it is not part of a stack.
    using Steps = std::vector<Step>;
    /// A function of an object that a line names.
    struct Met {
        std::uint32_t function = 0; ///< from 0 in the order of their coming
        std::string_view object;    ///< of the line
        bool hasObject = false;
        std::string_view address; ///< of the line, as it is printed
    };
    /// `java`: names are those of a process of Java.
    explicit FrameNames(bool java) : m_java(java) { }
    /// Puts the function of a line behind `out`. False: it is no frame.
    bool readLine(std::string_view line, std::vector<Met>& out);
    /// The same of lines that begin with a tab each, as nearly all do: of many at a time, since what is known of them is far apart in
    /// memory. False: one of them is no such line; `out` has nothing of them then.
    bool readBlock(std::string_view lines, std::vector<Met>& out);
    const Steps& operator[](std::uint32_t number) const { return m_steps[number]; }

private:
    /// A function of an object, and where its number stands.
    struct Wanted {
        std::string_view function, objectName;
        std::uint32_t object = 0;
        bool hasObject = false;
        std::string_view address;
        std::uint64_t hash = 0;
    };
    struct Slot {
        std::uint32_t hash, next; ///< the number of a function and 1; 0: free
    };
    struct Known {
        std::string_view text;
        std::uint32_t object;
    };
    struct Recent {
        std::string_view text;
        std::uint32_t number = 0;
    };
    static constexpr std::size_t kFirstSlots = 64;
    Wanted wanted(const FrameLine& line);
    std::uint32_t of(const Wanted& wanted);
    Steps read(std::string_view function, std::string_view object) const;
    std::uint32_t objectOf(std::string_view object);
    std::size_t slotOf(const Wanted& wanted) const;
    void grow();
    bool m_java;
    Interned m_objects, m_texts;
    std::array<Recent, 64> m_recent{};                          ///< objects, by the end of their names
    std::vector<Slot> m_slots = std::vector<Slot>(kFirstSlots); ///< at least half of them free
    std::vector<Wanted> m_wanted;                               ///< of the lines that are read
    std::vector<Known> m_known;                                 ///< by number of the function
    std::vector<Steps> m_steps;                                 ///< by number of the function
};
} // namespace dscope::text::perf
