#include "providers/kernel_functions.h"
/// fbt without its comforts: kprobes alone, whose program may also give the function's result (return()).
namespace dscope::providers {
std::unique_ptr<probe::Provider> make_rawfbt() { return kernelFunctions(By::Kprobes); }
} // namespace dscope::providers
