#include "engine/sema/analyser.h"
#include "engine/syntax/names.h"
/// The providers' D libraries: read only when a program uses a name of theirs.
namespace dscope::sema {
namespace {
bool isWordPart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
/// Position of `word` as a whole word, from `at` on; npos if it is not there.
std::size_t wordIn(std::string_view text, std::string_view word, std::size_t at = 0)
{
    for (at = text.find(word, at); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const auto end = at + word.size();
        if ((at == 0 || !isWordPart(text[at - 1])) && (end == text.size() || !isWordPart(text[end]))) return at;
    }
    return std::string_view::npos;
}
} // namespace

bool Analyser::loadLibraryWith(std::string_view name)
{
    bool any = false;
    for (std::size_t i = 0; i < m_loaded.size(); ++i)
        if (!m_loaded[i] && wordIn(m_available[i].text, name) != std::string_view::npos) {
            load(i);
            any = true;
        }
    return any;
}
bool Analyser::loadAllLibraries()
{
    bool any = false;
    for (std::size_t i = 0; i < m_loaded.size(); ++i)
        if (!m_loaded[i]) {
            load(i);
            any = true;
        }
    return any;
}
/// Does a library that is not read yet define `inline ... name`? Assigning to any other name makes a new variable.
bool Analyser::libraryDefinesInline(std::string_view name) const
{
    if (syntax::isYielding(name)) return false;
    for (std::size_t i = 0; i < m_loaded.size(); ++i) {
        if (m_loaded[i]) continue;
        const auto text = m_available[i].text;
        for (auto at = wordIn(text, "inline"); at != std::string_view::npos; at = wordIn(text, "inline", at + 1)) {
            const auto head = text.substr(at, text.find_first_of("=[", at) - at);
            if (wordIn(head, name) != std::string_view::npos) return true;
        }
    }
    return false;
}

/// The program defines a name of its own: what yields to that is forgotten, unless it was used before.
void Analyser::giveWay(const std::string& name)
{
    if (!m_inLibrary && syntax::isYielding(name) && !m_kept.contains(name)) m_scope.inlines.erase(name);
}

void Analyser::loadUserLibraries()
{
    for (std::size_t i = 0; i < m_loaded.size(); ++i)
        if (m_available[i].always && !m_loaded[i]) load(i);
}

void Analyser::load(std::size_t library)
{
    m_loaded[library] = true;
    const auto& from = m_available[library];
    const auto file = m_sources.addLibrary(std::string(from.file), std::string(from.text));
    auto& program = m_libraries.emplace_back(syntax::parse(m_sources, file, syntax::Macros{}, m_diagnostics));
    const auto* bindings = std::exchange(m_bindings, nullptr);
    const auto where = std::exchange(m_where, Where::Program);
    const bool inLibrary = std::exchange(m_inLibrary, true);
    for (const auto& item : program.items)
        if (const auto* d = std::get_if<ast::Declaration>(&item.is)) {
            declare(*d);
        } else if (const auto* c = std::get_if<ast::Clause>(&item.is)) {
            clause(*c); // what is wrong with it comes first
            if (m_diagnostics.ok()) error("D_PRAGMA_DEPEND", c->at, "a D library may not have clauses");
        }
    m_inLibrary = inLibrary;
    m_where = where;
    m_bindings = bindings;
}
} // namespace dscope::sema
