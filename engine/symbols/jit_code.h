#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
namespace dscope::symbols {
/// Code that a just-in-time compiler made, by address. Code that comes later replaces what it overlaps, since memory is used again.
class JitCode {
public:
    struct Found {
        std::uint64_t start = 0;
        std::string_view name; ///< lives until the next change
    };
    /// Does nothing for an empty range or name, or when there is more code than any compiler makes.
    void add(std::uint64_t start, std::uint64_t size, std::string_view name);
    /// The compiler moved the code that begins at `from`.
    void move(std::uint64_t from, std::uint64_t to, std::uint64_t size);
    void clear();
    std::optional<Found> find(std::uint64_t address) const;
    std::size_t size() const { return m_pieces.size(); }

private:
    static constexpr std::size_t kMostPieces = 1 << 20, kMostText = 128 << 20;
    struct Piece {
        std::uint64_t end = 0, start = 0; ///< start: of the function, of which a piece may be the rest
        std::string name;
    };
    void cut(std::uint64_t start, std::uint64_t end);
    void erase(std::map<std::uint64_t, Piece>::iterator at);
    std::map<std::uint64_t, Piece> m_pieces; // by address; they do not overlap
    std::size_t m_text = 0;
};
} // namespace dscope::symbols
