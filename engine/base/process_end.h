#pragma once
#include <utility>
namespace dscope {
/// The process is about to end. From now on the largest structures are not taken apart, piece by piece: the machine takes their memory back
/// at once.
void tellProcessEnds();
bool processEnds();
/// For objects that own only memory and are no longer used.
void keepUntilTheEnd(const void* object);
template <typename T> void leaveIfProcessEnds(T& object)
{
    if (processEnds()) keepUntilTheEnd(new T(std::move(object)));
}
} // namespace dscope
