#pragma once
#include <functional>
#include <memory>
namespace dscope::gui {
/// Does it on another thread when this is the window's, whose events are to be short; else now.
void endElsewhere(std::function<void()> end);
/// A value that many share and whose end takes long, as that of a table's 100,000 rows: whoever lets go of it last does not wait for it.
template <typename T> std::shared_ptr<T> endedElsewhere(std::unique_ptr<T> value)
{
    return std::shared_ptr<T>(value.release(), [](T* last) { endElsewhere([last] { delete last; }); });
}
} // namespace dscope::gui
