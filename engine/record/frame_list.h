#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>
/// The frames of stacks, as record::StackDef has them: values that are named once and shared by all stacks they are in.
namespace dscope::record {
/// A value that many have in common: copies are cheap, and equal values are equal wherever they are kept.
template <typename T> class Shared {
public:
    Shared() = default;
    Shared(T value) : m_value(value == T{} ? nullptr : std::make_shared<const T>(std::move(value))) { }
    const T& operator*() const
    {
        static const T kNone{};
        return m_value ? *m_value : kNone;
    }
    const T* operator->() const { return &**this; }
    explicit operator bool() const { return m_value != nullptr; } ///< is not T{}
    bool operator==(const Shared& o) const { return m_value == o.m_value || **this == *o; }

private:
    std::shared_ptr<const T> m_value; ///< null: T{}
};
/// The program or library that code came from.
struct CodeFile {
    std::string path;    ///< as the traced machine's kernel showed it to dscope; empty when it is left out
    std::string buildId; ///< lower-case hexadecimal; empty where it has none
    bool operator==(const CodeFile&) const = default;
};
/// A frame of a stack, named where it was taken: on the traced machine, while the process was there. A function that was inlined
/// has a frame of its own before that of the function which it became part of; their addresses are the same.
struct Frame {
    std::uint64_t address = 0; ///< in the traced process; of an unnamed function as its module is linked, the same in each run
    std::string module;        ///< "libc.so.6", "vmlinux", "a.out"; empty when unknown
    std::string function;      ///< demangled; empty when unknown
    std::uint64_t offset = 0;  ///< into the function; without one, where the unnamed function begins in the module
    enum class Kind : std::uint8_t {
        User,
        Library,
        Kernel,
        Jit,
        Unknown,
        Truncated, ///< no frame: the stack goes on, and was not followed from here on; `offset` is a Truncation
    } kind = Kind::Unknown;
    bool inlined = false;     ///< into the function of the frame behind it; has no offset
    std::uint32_t line = 0;   ///< of `file`, from 1; 0: not known, or not asked for (option ustacklines)
    Shared<std::string> file; ///< of the source, as the debug information names it; empty when not known
    std::uint64_t linked = 0; ///< where the code is as `code` is linked: of a caller the call, not what it returns to
    Shared<CodeFile> code;    ///< empty: the kernel, generated code, or a file that was not to be had
    bool operator==(const Frame&) const = default;
};
/// Why a stack was not followed to its end.
enum class Truncation : std::uint8_t {
    TooDeep,   ///< it has more frames than option ustackframes, or more bytes than are copied
    NoCaller,  ///< code without unwind tables, whose frame pointer leads nowhere
    BadMemory, ///< the stack could not be read there, or what it holds is no stack
    NoTable,   ///< no unwind table was at hand
    Switched,  ///< the thread had changed to another stack there, and nothing told where the caller is (since 1.9)
};
Frame truncated(Truncation why);

/// A hash of 128 bits of what something holds: what differs has another one. Of untrusted names it is no proof against somebody
/// who searches for two that have the same.
struct Digest {
    std::uint64_t low = 0, high = 0;
    bool operator==(const Digest&) const = default;
    /// That of a sequence of so many things, when `next` is added to it.
    Digest then(const Digest& next) const;
};
/// A frame as it is kept for many stacks.
struct KnownFrame {
    explicit KnownFrame(Frame f) : frame(std::move(f)), digest(digestOf(frame)) { }
    static Digest digestOf(const Frame& frame);
    Frame frame;
    Digest digest; ///< of the frame
    /// Where KeptStacks has found it, which is most likely where it is again. Several threads may ask.
    struct Hint {
        Hint() = default;
        Hint(const Hint& other) : number(other.number.load(std::memory_order_relaxed)) { }
        Hint& operator=(const Hint&) = delete;
        std::atomic<std::uint32_t> number = UINT32_MAX;
    };
    mutable Hint hint;
};
/// The frames of one stack, innermost first. It never changes, and shares its frames with copies and with other lists.
class FrameList {
public:
    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = Frame;
        using difference_type = std::ptrdiff_t;
        using pointer = const Frame*;
        using reference = const Frame&;
        Iterator() = default;
        explicit Iterator(const KnownFrame* const* at) : m_at(at) { }
        const Frame& operator*() const { return (*m_at)->frame; }
        const Frame* operator->() const { return &(*m_at)->frame; }

        Iterator& operator++()
        {
            ++m_at;
            return *this;
        }
        Iterator operator++(int) { return Iterator(m_at++); }
        bool operator==(const Iterator& other) const { return m_at == other.m_at; }

    private:
        const KnownFrame* const* m_at = nullptr;
    };
    FrameList() = default;
    FrameList(std::vector<Frame> frames);
    FrameList(std::initializer_list<Frame> frames) : FrameList(std::vector<Frame>(frames)) { }
    /// `frames` live as long as `owner`.
    FrameList(std::shared_ptr<const void> owner, std::vector<const KnownFrame*> frames)
        : m_owner(std::move(owner)), m_frames(std::move(frames))
    {
    }
    std::size_t size() const { return m_frames.size(); }
    bool empty() const { return m_frames.empty(); }
    const Frame& operator[](std::size_t i) const { return m_frames[i]->frame; }
    const Frame& back() const { return m_frames.back()->frame; } ///< of a list that is not empty
    const Digest& digest(std::size_t i) const { return m_frames[i]->digest; }
    const KnownFrame& known(std::size_t i) const { return *m_frames[i]; }
    Iterator begin() const { return Iterator(m_frames.data()); }
    Iterator end() const { return Iterator(m_frames.data() + m_frames.size()); }
    bool operator==(const FrameList& other) const;

private:
    std::shared_ptr<const void> m_owner;
    std::vector<const KnownFrame*> m_frames;
};
} // namespace dscope::record
