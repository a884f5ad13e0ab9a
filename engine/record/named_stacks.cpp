#include "engine/record/named_stacks.h"
#include "engine/record/value.h"
namespace dscope::record {
void eachStack(std::span<const Field> fields, ByteView bytes, const std::function<void(StackId)>& each)
{
    for (const auto& field : fields) {
        if (field.kind != FieldKind::Stack && field.kind != FieldKind::UserStack && field.kind != FieldKind::Symbol) continue;
        if (const auto id = stackOf(field, bytes); id.value != 0) each(id);
    }
}

bool hasUnreadable(std::span<const Field> fields, ByteView bytes)
{
    bool found = false;
    eachStack(fields, bytes, [&found](StackId id) { found = found || id == kUnreadableStack; });
    return found;
}
} // namespace dscope::record
