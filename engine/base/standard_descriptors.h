#pragma once
namespace dscope {
/// Opens what is closed of descriptors 0, 1 and 2, so that no file that we open later takes the number and gets text that is
/// meant for standard output. Reading and writing them fails as before (EBADF). Call it first in main().
void occupyStandardDescriptors();
} // namespace dscope
