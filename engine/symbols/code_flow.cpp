#include "engine/symbols/code_flow.h"
#include <algorithm>
#include <utility>
namespace dscope::symbols {
namespace {

using Way = CodeEffect::Way;
constexpr std::int32_t kReturnAddress = -8;
/// Functions return, and are left for others, with the stack pointer at the return address.
bool isElsewhere(const FrameShape& shape) { return shape.sp && *shape.sp != kReturnAddress; }
} // namespace

void CodeFlow::leaveOut(std::uint64_t address) { m_leftOut.insert(address); }

void CodeFlow::addFunction(std::uint64_t address)
{
    if (m_leftOut.contains(address) || !m_functions.insert(address).second) return;
    reach(address, FrameShape{}, {});
    follow();
}

void CodeFlow::addPointedTo(std::uint64_t address)
{
    if (m_known.contains(address) || isWithin(address)) return;
    addFunction(address);
}

/// Whether the address may be in the middle of a function: of an instruction, or of one that has a jump to nobody knows where.
bool CodeFlow::isWithin(std::uint64_t address) const
{
    const auto behind = m_known.upper_bound(address);
    if (behind != m_known.begin() && address < std::prev(behind)->first + std::prev(behind)->second.length) return true;
    const auto next = m_functions.upper_bound(address);
    const auto start = next == m_functions.begin() ? 0 : *std::prev(next);
    const auto jump = m_jumpsWithin.lower_bound(start);
    return jump != m_jumpsWithin.end() && (next == m_functions.end() || *jump < *next);
}

void CodeFlow::reach(std::uint64_t address, const FrameShape& shape, std::optional<std::uint64_t> from)
{
    const auto [at, isNew] = m_known.try_emplace(address, Known{.shape = shape});
    auto& known = at->second;
    if (from) {
        auto& next = m_known.at(*from).next;
        const auto place = std::find_if(next.begin(), next.end(), [&](std::uint64_t one) { return one == 0 || one == address; });
        if (place != next.end() && *place == 0) {
            *place = address;
            known.from.push_back(*from);
        }
    }
    if (isNew) {
        m_todo.push_back(address);
    } else {
        if (known.shape.sp && shape.sp && *known.shape.sp != *shape.sp) doubt(address);
        if (known.shape.meet(shape)) m_todo.push_back(address);
    }
    if (from) markReturning(*from, known.returns);
}

void CodeFlow::follow()
{
    while (!m_todo.empty()) {
        const auto address = m_todo.back();
        m_todo.pop_back();
        step(address);
    }
}

void CodeFlow::step(std::uint64_t address)
{
    auto& known = m_known.at(address);
    auto shape = known.shape;
    const auto code = m_leftOut.contains(address) ? ByteView() : m_read(address);
    const auto effect = code.empty() ? std::nullopt : m_decoder.apply(code, address, shape);
    if (!effect) return doubt(address); // no code after all
    known.length = effect->length;
    known.way = effect->way;
    if (effect->pointedTo) m_pointers.insert(*effect->pointedTo);
    const auto next = address + effect->length;
    switch (effect->way) {
    case Way::On: return reach(next, shape, address);
    case Way::Jump: return reach(effect->target, shape, address);
    case Way::Branch: reach(effect->target, shape, address); return reach(next, shape, address);
    case Way::Call: return call(address, *effect, shape);
    case Way::Return: return markReturning(address, Returns::Yes);
    case Way::Elsewhere:
        // A jump by a table, or a call of another function in place of a return.
        if (isElsewhere(known.shape)) m_jumpsWithin.insert(address);
        return markReturning(address, effect->leavesFile ? Returns::Perhaps : Returns::Yes);
    case Way::End: return;
    }
}

/// Some functions never return: what is behind a call of such a one is another function, or is reached from elsewhere.
void CodeFlow::call(std::uint64_t address, const CodeEffect& effect, FrameShape after)
{
    const auto next = address + effect.length;
    auto returns = effect.leavesFile ? Returns::Perhaps : Returns::Yes;
    if (effect.target != 0 && !m_leftOut.contains(effect.target)) {
        if (m_functions.insert(effect.target).second) reach(effect.target, FrameShape{}, {});
        returns = m_known.at(effect.target).returns;
        if (returns != Returns::Yes && !std::exchange(m_known.at(address).isWaiting, true)) m_waiting[effect.target].push_back(address);
    }
    if (returns == Returns::No) return;
    m_known.at(address).mayEnd = returns == Returns::Perhaps;
    if (returns == Returns::Perhaps) after.isReached = false;
    reach(next, after, address);
}

void CodeFlow::markReturning(std::uint64_t address, Returns how)
{
    std::vector<std::uint64_t> todo;
    const auto mark = [&](std::uint64_t at, Returns returns) {
        auto& known = m_known.at(at);
        returns = known.mayEnd ? std::min(returns, Returns::Perhaps) : returns;
        if (known.returns >= returns) return;
        known.returns = returns;
        todo.push_back(at);
    };
    mark(address, how);
    while (!todo.empty()) {
        const auto at = todo.back();
        todo.pop_back();
        const auto& known = m_known.at(at);
        for (const auto from : known.from)
            mark(from, known.returns);
        if (const auto waiting = m_waiting.find(at); waiting != m_waiting.end())
            m_todo.insert(m_todo.end(), waiting->second.begin(), waiting->second.end());
    }
}

/// Those and all from which ways lead there, as far as functions begin: who leaves for one is not to blame for what it does.
std::set<std::uint64_t> CodeFlow::before(std::vector<std::uint64_t> places) const
{
    std::set<std::uint64_t> all;
    while (!places.empty()) {
        const auto at = places.back();
        places.pop_back();
        if (!all.insert(at).second || m_functions.contains(at)) continue;
        const auto& from = m_known.at(at).from;
        places.insert(places.end(), from.begin(), from.end());
    }
    return all;
}

std::map<std::uint64_t, CodeFlow::Place> CodeFlow::places()
{
    auto doubtful = m_doubtful;
    std::vector<std::uint64_t> ends; // where it is seen that the stack pointer is right
    std::uint64_t end = 0, last = 0;
    for (const auto& [address, known] : m_known) {
        const bool leaves = known.way == Way::Return || known.way == Way::Elsewhere;
        if (leaves && known.shape.sp == kReturnAddress) ends.push_back(address);
        if (known.way == Way::Return && isElsewhere(known.shape)) doubtful.push_back(address);
        // What some take for an instruction is the middle of one to others.
        if (address < end) doubtful.insert(doubtful.end(), {address, last});
        last = address;
        end = address + known.length;
    }

    const auto doubted = before(std::move(doubtful)), proved = before(std::move(ends));
    std::map<std::uint64_t, Place> all;
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> following;
    for (const auto& [address, known] : m_known) {
        all.emplace_hint(all.end(), address, Place{known.shape, known.length, false});
        for (const auto from : known.from)
            following[from].push_back(address);
    }

    // What only doubtful ways lead to is doubtful, too.
    std::vector<std::uint64_t> todo(m_functions.begin(), m_functions.end());
    while (!todo.empty()) {
        const auto at = todo.back();
        todo.pop_back();
        auto& place = all.at(at);
        if (place.isTrue || doubted.contains(at) || (!place.shape.isReached && !proved.contains(at))) continue;
        place.isTrue = true;
        if (const auto next = following.find(at); next != following.end())
            todo.insert(todo.end(), next->second.begin(), next->second.end());
    }
    return all;
}
} // namespace dscope::symbols
