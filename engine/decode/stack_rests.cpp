#include "engine/decode/stack_rests.h"
#include "engine/object/raw.h"
#include <algorithm>
#include <cstring>
namespace dscope::decode {
using object::RawStackRest;
using object::RawUserStack;

Result<> StackRests::add(ByteView raw)
{
    if (raw.size() < sizeof(RawStackRest)) return Error{0, "the rest of a stack is cut"};
    const auto head = readAt<RawStackRest>(raw, 0);
    if (raw.size() - sizeof head < head.length) return Error{0, "the rest of a stack ends within its bytes"};
    const auto bytes = raw.subspan(sizeof head, head.length);
    if (m_rests.size() == kMost) m_rests.pop_front();
    m_spare.assign(bytes.begin(), bytes.end());
    m_rests.push_back({head.number, head.from, head.holes, head.header.tid, std::move(m_spare)});
    return {};
}

std::vector<Bytes> StackRests::join(std::uint32_t tid, std::vector<ByteView>& stacks)
{
    std::vector<Bytes> whole;
    whole.reserve(stacks.size());
    for (auto& stack : stacks) {
        auto head = readAt<RawUserStack>(stack, 0);
        const auto isRest = [&](const Rest& r) { return head.rest != 0 && r.number == head.rest && r.tid == tid; };
        const auto rest = std::find_if(m_rests.begin(), m_rests.end(), isRest);
        if (rest == m_rests.end()) continue;
        if (rest->from == head.sp + head.length) {
            auto& bytes = whole.emplace_back();
            bytes.reserve(stack.size() + rest->bytes.size());
            bytes.assign(stack.begin(), stack.end());
            bytes.insert(bytes.end(), rest->bytes.begin(), rest->bytes.end());
            head.length += static_cast<std::uint32_t>(rest->bytes.size());
            head.restFrom = rest->from;
            head.holes = rest->holes;
            std::memcpy(bytes.data(), &head, sizeof head);
            stack = bytes;
        }
        m_spare = std::move(rest->bytes);
        m_rests.erase(rest);
    }
    return whole;
}
} // namespace dscope::decode
