#pragma once
#include "engine/format/grouping.h"
#include "engine/format/zone.h"
#include "engine/record/kept_stacks.h"
#include "engine/record/record.h"
#include <map>
#include <optional>
#include <string>
#include <string_view>
/// The text of single values, as trace(), tracemem(), stacks and aggregation keys have it.
namespace dscope::format {
/// Text of one value, or of one filled-in format, is cut at about this many bytes: what a recording asks for, it need
/// not get.
constexpr std::size_t kLongestText = std::size_t{16} << 20;

struct Context;
/// The lines of frames that stacks have in common, made once.
class FrameTexts {
public:
    /// That of a frame of a stack, as stackText() shows it. Holds until the next is asked for.
    const std::string& of(const Context& context, const record::KeptStacks::View& frames, std::size_t i, record::FieldKind kind);

private:
    static constexpr std::size_t kMost = std::size_t{1} << 17U; ///< texts, of some 100 bytes
    struct Facts {
        std::uint64_t generation = 0;
        bool noResolve = false, toTerminal = false;
        bool operator==(const Facts&) const = default;
    } m_facts;
    std::vector<std::string> m_user, m_kernel; ///< by number of a frame; empty: not made yet
    std::string m_other;                       ///< of a number beyond the bound
};
/// What the stream has defined so far, and the options that say how values look.
struct Context {
    record::KeptStacks stacks;
    bool quiet = false, rawBytes = false, noResolve = false;
    bool toTerminal = false; ///< what is traced goes through shown()
    int stackIndent = 14;
    std::size_t stringSize = 256; ///< option strsize: what a string takes where bytes are shown, its NUL apart
    Zone zone;                    ///< of the traced machine
    Grouping grouping;            ///< of who reads
    mutable FrameTexts frameTexts;

    /// Frames of the stack a field holds; none when it is not defined.
    record::KeptStacks::View framesOf(const record::Field& field, ByteView bytes) const;
};

/// Whether a frame is told with its offset in the function.
enum class Offset : std::uint8_t { Shown, Hidden };
/// `module`function+0xoff`, `module`0xADDR` or `0xADDR`.
std::string frameText(const record::Frame& frame, Offset offset = Offset::Shown);
/// The same of a frame of user space: with option noresolve "module:0x1c" where its function is not known.
std::string userFrameText(const Context& context, const record::Frame& frame, Offset offset = Offset::Shown);
/// What option ustacklines adds to that: " (mix.c:31)", " (mix.c:12) (inlined)"; else nothing.
std::string placeText(const record::Frame& frame);
/// Whether a frame names a module and nothing in it, as mod() and umod() ask: no function, address and offset 0.
bool isModule(const record::Frame& frame);
/// A newline, then a line a frame, indented; each frame goes through `frameWidth` columns (0: as it is) and at most
/// `frameLength` bytes (-1: all).
std::string stackText(
    const Context& context, const record::Field& field, ByteView bytes, int indent, int frameWidth = 0, int frameLength = -1);
/// What func(), sym(), mod() and ufunc(), usym(), umod() show: no offset (uaddr() has one), mod() and umod() the module alone.
std::string symbolText(const Context& context, const record::Field& field, ByteView bytes);

/// The address that a symbol names, or 0.
std::uint64_t symbolAddress(const Context& context, const record::Field& field, ByteView bytes);

/// Whether a symbol is told with its offset: uaddr().
bool tellsOffset(const record::Field& field);

/// trace(): strings 33 columns wide, integers 20, 11, 6 or 4; bare when quiet.
std::string traceText(const Context& context, const record::Field& field, ByteView bytes);
/// A member of a key, or an action like sym(): strings and symbols 50 columns wide, integers 17, 9, 6 or 4.
std::string keyText(const Context& context, const record::Field& field, ByteView bytes);
/// The integer of a key's member as it is printed.
std::int64_t keyInteger(const record::Field& field, ByteView bytes);
/// The text that bytes are: printable up to the first NUL, and only NULs follow. None if they are no text.
std::optional<std::string> textIn(ByteView bytes);
/// Sixteen bytes a line, hexadecimal and as text, under a heading.
std::string dumpText(ByteView bytes);
/// The bytes of a field.
ByteView partOf(const record::Field& field, ByteView bytes);
/// %S: what C would write between quotes.
std::string escaped(std::string_view text);
/// Traced text as a terminal may be given it: control characters (C0 but newline and tab, DEL, C1), which it would obey, are
/// written as C writes them, "\033". Other bytes stay as they are. With a context: only when it says so.
std::string visible(std::string_view text);
std::string shown(const Context& context, std::string text);
/// %Y: "2001 Sep  9 01:46:40", %T: "Sun, 09 Sep 2001 01:46:40 UTC" (+hhmm where the zone has no name), of ns since 1970.
std::string dateText(std::uint64_t ns, const Zone& zone);
std::string dateText822(std::uint64_t ns, const Zone& zone);
} // namespace dscope::format
