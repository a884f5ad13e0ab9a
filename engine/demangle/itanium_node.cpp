#include "engine/demangle/itanium_node.h"
#include <algorithm>
namespace dscope::demangle {
using Kind = ItaniumNode::Kind;

struct ItaniumPrinter::Deeper {
    explicit Deeper(ItaniumPrinter& owner) : o(owner)
    {
        if (++o.m_depth > kDeepest || --o.m_budget.steps < 0) o.spend();
    }
    ~Deeper() { --o.m_depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ItaniumPrinter& o;
};

std::string ItaniumPrinter::printed(const ItaniumNode* node)
{
    std::string out;
    before(node, out);
    behind(node, out);
    if (out.size() > std::min(kMostText, m_budget.text)) spend();
    if (!m_ok) return {};
    m_budget.text -= out.size();
    return out;
}

/// What a parameter or a pack is at this place; null: it has no such element.
const ItaniumNode* ItaniumPrinter::element(const ItaniumNode* node) const
{
    if (node && node->kind == Kind::Parameter && m_scope && m_scope->arguments && node->index < m_scope->arguments->parts.size())
        node = m_scope->arguments->parts[node->index];
    if (!node || node->kind != Kind::Pack || m_element == kNoElement) return node;
    const auto at = static_cast<std::size_t>(m_element);
    return at < node->parts.size() ? node->parts[at] : nullptr;
}

std::size_t ItaniumPrinter::sizeOfPack(const ItaniumNode* node, int depth)
{
    if (!node || depth > kDeepest || --m_budget.steps < 0 || node->kind == Kind::Expansion) return std::string::npos;
    if (node->kind == Kind::Parameter && m_scope && m_scope->arguments && node->index < m_scope->arguments->parts.size())
        node = m_scope->arguments->parts[node->index];
    if (!node) return std::string::npos;
    if (node->kind == Kind::Pack) return node->parts.size();
    for (const auto* part : node->parts)
        if (const auto size = sizeOfPack(part, depth + 1); size != std::string::npos) return size;
    return std::string::npos;
}

void ItaniumPrinter::expand(const ItaniumNode* pattern, std::string& out)
{
    const auto size = sizeOfPack(pattern, 0);
    if (size == std::string::npos) {
        out += printed(pattern) + "...";
        return;
    }
    const auto outer = m_element;
    std::string_view comma;
    for (std::size_t i = 0; m_ok && i < size && out.size() <= kMostText; ++i) {
        m_element = static_cast<int>(i);
        out += std::string(comma) + printed(pattern);
        comma = ", ";
    }
    m_element = outer;
}

void ItaniumPrinter::list(const std::vector<const ItaniumNode*>& parts, std::string& out)
{
    bool isFirst = true;
    for (const auto* part : parts) {
        if (out.size() > kMostText) spend();
        if (!m_ok) return;
        const auto text = printed(part);
        if (text.empty()) continue;
        if (!isFirst) out += ", ";
        out += text;
        isFirst = false;
    }
}

template <typename F> void ItaniumPrinter::as(bool isArgument, F f)
{
    const auto outer = m_element;
    const auto* const scope = m_scope;
    if (isArgument) {
        m_element = kNoElement;
        if (m_scope) m_scope = m_scope->outer;
    }
    f();
    m_element = outer;
    m_scope = scope;
}

void ItaniumPrinter::named(const ItaniumNode& node, std::string& out)
{
    const Scope scope{node.parts[2], m_scope, false};
    m_scope = &scope;
    before(node.parts[0], out);
    out += printed(node.parts[1]);
    behind(node.parts[0], out);
    m_scope = scope.outer;
}

void ItaniumPrinter::lambda(const ItaniumNode& node, std::string& out)
{
    const Scope scope{node.parts[2], m_scope, true};
    m_scope = &scope;
    out += "{lambda";
    if (node.parts[0]) before(node.parts[0], out);
    out += '(' + printed(node.parts[1]) + ')' + node.text + '}';
    m_scope = scope.outer;
}

/// "&" and "&&" of a reference are one reference.
ItaniumPrinter::Pointee ItaniumPrinter::pointee(const ItaniumNode& pointer) const
{
    const auto* const given = pointer.parts.back();
    Pointee to{element(given), pointer.text, false};
    to.isArgument = to.node != given;
    while (to.node && to.sign.starts_with('&') && to.node->kind == Kind::Pointer && to.node->text != "*") {
        if (to.node->text == "&") to.sign = "&";
        const auto* const next = to.node->parts[0];
        if (to.isArgument && next && (next->kind == Kind::Parameter || next->kind == Kind::Pack)) break;
        to.node = to.isArgument ? next : element(next);
        to.isArgument = to.isArgument || to.node != next;
    }
    return to;
}
const ItaniumNode* ItaniumPrinter::unqualified(const ItaniumNode* node) const
{
    for (int depth = 0; node && node->kind == Kind::Qualified && depth < kDeepest && --m_budget.steps > 0; ++depth)
        node = element(node->parts[0]);
    return node;
}
bool ItaniumPrinter::isFunction(const ItaniumNode* node) const
{
    const auto* const is = unqualified(node);
    return is && is->kind == Kind::Function;
}
bool ItaniumPrinter::needsBrackets(const ItaniumNode* node) const
{
    const auto* const is = unqualified(node);
    return is && (is->kind == Kind::Function || is->kind == Kind::Array);
}

bool ItaniumPrinter::encloses(const ItaniumNode* result) const
{
    for (int depth = 0; (result = element(result)) && depth < kDeepest && --m_budget.steps > 0; ++depth) {
        if (result->kind == Kind::Qualified)
            result = result->parts[0];
        else if (result->kind == Kind::Pointer || result->kind == Kind::Member)
            result = pointee(*result).node;
        else
            return depth > 0 && needsBrackets(result);
    }
    return false;
}

void ItaniumPrinter::pointer(const ItaniumNode& node, std::string& out)
{
    const bool isMember = node.kind == Kind::Member;
    const auto to = pointee(node);
    as(to.isArgument, [&] { before(to.node, out); });
    if (needsBrackets(to.node))
        out += out.ends_with(' ') ? "(" : " (";
    else if (isMember)
        out += ' ';
    if (isMember) out += printed(node.parts[0]) + "::*";
    out += to.sign;
}

void ItaniumPrinter::before(const ItaniumNode* node, std::string& out)
{
    const Deeper deeper(*this);
    if (out.size() > kMostText) spend();
    const auto* const is = element(node);
    if (!m_ok || !is) return;
    if (is != node) return as(true, [&] { before(is, out); });
    switch (node->kind) {
    case Kind::Parameter:
        if (!m_scope || !m_scope->isLambda) m_ok = false;
        out += node->text;
        return;
    case Kind::Text: out += node->text; return;
    case Kind::Lambda: return lambda(*node, out);
    case Kind::Named: return named(*node, out);
    case Kind::Module:
    case Kind::Joined:
        for (const auto* part : node->parts)
            if (part && part->kind == Kind::Arguments)
                before(part, out);
            else
                out += printed(part);
        return;
    case Kind::Pack:
    case Kind::List: return list(node->parts, out);
    case Kind::Arguments: {
        std::string inside;
        list(node->parts, inside);
        out += (out.ends_with('<') ? " <" : "<") + inside + (inside.ends_with('>') ? " >" : ">");
        return;
    }
    case Kind::Expansion: return expand(node->parts[0], out);
    case Kind::Pointer:
    case Kind::Member: return pointer(*node, out);
    case Kind::Qualified:
        before(node->parts[0], out);
        if (!isFunction(node)) out += node->text;
        return;
    case Kind::Array: return before(node->parts[0], out);
    case Kind::Function:
        before(node->parts[0], out);
        if (node->parts[0] && !encloses(node->parts[0])) out += ' ';
        return;
    }
}

void ItaniumPrinter::behind(const ItaniumNode* node, std::string& out)
{
    const Deeper deeper(*this);
    const auto* const is = element(node);
    if (!m_ok || !is) return;
    if (is != node) return as(true, [&] { behind(is, out); });
    switch (node->kind) {
    case Kind::Pointer:
    case Kind::Member: {
        const auto to = pointee(*node);
        if (needsBrackets(to.node)) out += ')';
        return as(to.isArgument, [&] { behind(to.node, out); });
    }
    case Kind::Qualified:
        behind(node->parts[0], out);
        if (isFunction(node)) out += node->text;
        return;
    case Kind::Array: out += (out.ends_with(']') ? "[" : " [") + printed(node->parts[1]) + ']'; return behind(node->parts[0], out);
    case Kind::Function: out += '(' + printed(node->parts[1]) + ')' + node->text; return behind(node->parts[0], out);
    default: return;
    }
}
} // namespace dscope::demangle
