#pragma once
#include <atomic>
namespace dscope::graph {
/// How long somebody waits for the layouts that a thread asks for while this object lives: until the picture is no longer wanted, and
/// for so many seconds of a processor's time each. A layout that is given up ends at once, whatever it does; its caller gets none.
class LayoutPatience {
public:
    /// `isUnwanted` is set by any thread, and outlives this.
    LayoutPatience(const std::atomic<bool>& isUnwanted, unsigned seconds);
    LayoutPatience(const LayoutPatience&) = delete;
    LayoutPatience& operator=(const LayoutPatience&) = delete;
    ~LayoutPatience();
    bool isUnwanted() const { return m_isUnwanted; }
    unsigned seconds() const { return m_seconds; }
    /// Whether a layout has taken longer.
    bool hasGivenUp() const { return m_hasGivenUp; }
    void giveUp() { m_hasGivenUp = true; }
    /// That of this thread; null: nobody has said.
    static LayoutPatience* here();

private:
    const std::atomic<bool>& m_isUnwanted;
    unsigned m_seconds;
    bool m_hasGivenUp = false;
    LayoutPatience* m_before;
};
constexpr unsigned kLayoutSeconds = 10; ///< of a processor's time, where nobody has said
} // namespace dscope::graph
