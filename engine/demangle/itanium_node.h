#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::demangle {
/// A part of a name or of a type of C++.
struct ItaniumNode {
    enum class Kind : std::uint8_t {
        Text,      ///< `text`
        Joined,    ///< parts one behind another
        List,      ///< parts with ", " between them, without those that say nothing
        Arguments, ///< the same in "<>"
        Pack,      ///< a template's arguments for one parameter: within an expansion the one that it is at
        Expansion, ///< its part for each element of the pack in it
        Pointer,   ///< to its part; `text` is "*", "&" or "&&"
        Member,    ///< a pointer to a member of the first part, whose type is the second
        Qualified, ///< its part with `text` behind it: " const"
        Array,     ///< of the first part; the second is how many
        Parameter, ///< `text` names it: "auto:1"; in a template it is the argument of that `index`
        Lambda,    ///< the first part, Arguments or null, declares parameters, which the third names; takes the second; `text`: "#1"
        Module,    ///< the name of one
        Named,     ///< the first part, a Function, with its name, the second; the third are the arguments if it is a template
        Function,  ///< gives the first part, which may be null, takes the second, a List, and `text` is behind it: " const"
    } kind
        = Kind::Text;
    std::string text = {};
    std::vector<const ItaniumNode*> parts = {};
    std::size_t index = 0;
    std::size_t weight = 0; ///< characters and nodes of it and its parts, as often as they are in it
};

/// Writes them.
class ItaniumPrinter {
public:
    /// What may be written for one symbol: printers share it.
    struct Budget {
        int steps = 100'000;
        std::size_t text = std::size_t{16} << 20; ///< of all parts, each once for each part that it is in
        bool isSpent = false;                     ///< something was too deep or too long
    };
    explicit ItaniumPrinter(Budget& budget) : m_budget(budget) { }
    std::string printed(const ItaniumNode* node);
    /// Whether everything was written: it is not too deep nor too long.
    bool ok() const { return m_ok; }

private:
    static constexpr std::size_t kMostText = std::size_t{1} << 16;
    static constexpr int kDeepest = 400, kNoElement = -1;
    struct Deeper;
    /// What stands before and behind a name of that type.
    void before(const ItaniumNode* node, std::string& out);
    void behind(const ItaniumNode* node, std::string& out);
    void list(const std::vector<const ItaniumNode*>& parts, std::string& out);
    void expand(const ItaniumNode* pattern, std::string& out);
    void pointer(const ItaniumNode& node, std::string& out);
    const ItaniumNode* element(const ItaniumNode* node) const;
    /// Returns the size of the pack that `node` expands, or npos if it expands none.
    std::size_t sizeOfPack(const ItaniumNode* node, int depth);
    struct Pointee {
        const ItaniumNode* node;
        std::string_view sign;
        bool isArgument; ///< of a template, whose other parameters are not in it
    };
    Pointee pointee(const ItaniumNode& pointer) const;
    /// What parameters of templates are while a name is written.
    struct Scope {
        const ItaniumNode* arguments;
        const Scope* outer;
        bool isLambda; ///< whose parameters may be "auto", which no arguments are for
    };
    /// Writes what an argument is: outside of the pack and of the template.
    template <typename F> void as(bool isArgument, F f);
    void named(const ItaniumNode& node, std::string& out);
    void lambda(const ItaniumNode& node, std::string& out);
    const Scope* m_scope = nullptr;
    /// Without " const". An argument may have its own parameter in it ("f<T_ const>"): what is still qualified then is returned.
    const ItaniumNode* unqualified(const ItaniumNode* node) const;
    bool isFunction(const ItaniumNode* node) const; ///< or one with " const" behind it
    bool needsBrackets(const ItaniumNode* node) const;
    /// Whether a function that gives this is within its type: "void (*f(int))(int)".
    bool encloses(const ItaniumNode* result) const;
    Budget& m_budget;
    int m_depth = 0, m_element = kNoElement;
    void spend()
    {
        m_ok = false;
        m_budget.isSpent = true;
    }
    bool m_ok = true;
};
} // namespace dscope::demangle
