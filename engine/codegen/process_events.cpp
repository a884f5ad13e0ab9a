#include "engine/codegen/dispatch.h"
namespace dscope::codegen {
void emitProcessEvents(Unit&) {}
} // namespace dscope::codegen
