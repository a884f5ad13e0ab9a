#pragma once
#include <utility>
namespace dscope {
/// The process is about to end. From now on the largest structures are not taken apart, piece by piece: the machine takes their memory back
/// at once.
void tellProcessEnds();
bool processEnds();
/// Keeps what is no owner of anything but memory, and is not asked any more.
void keepUntilTheEnd(const void* object);
template <typename T> void leaveIfProcessEnds(T& object)
{
    if (processEnds()) keepUntilTheEnd(new T(std::move(object)));
}
} // namespace dscope
