#include "engine/decode/front.h"
#include "engine/object/raw.h"
namespace dscope::decode {
void eachInFront(const object::Object::Front& front, std::span<const std::byte> perCpu,
    const std::function<void(ByteView key, std::span<const std::byte> value)>& each)
{
    constexpr auto kHead = sizeof(object::SlotState);
    // A CPU's slots fill what it has of the map.
    for (; perCpu.size() >= front.slotSize(); perCpu = perCpu.subspan(front.slotSize())) {
        if (readAt<object::SlotState>(perCpu, 0) != object::SlotState::Ready) continue;
        each(perCpu.subspan(kHead, front.keySize), perCpu.subspan(kHead + front.keySize, front.valueSize));
    }
}
} // namespace dscope::decode
