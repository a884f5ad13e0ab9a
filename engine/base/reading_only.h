#pragma once
#include "engine/base/result.h"
namespace dscope {
/// From here on no thread of this process, nor a process that it starts, can change a file or another process, start a program, or
/// speak to anybody by a socket: the kernel answers EPERM. What is open stays open for what it was opened for, and files are opened for
/// reading. There is no way back. It bounds what a fault in our readers of other people's files can do, where we run as root; what a
/// program of eBPF may do is not part of it.
/// Error: this kernel has no such filters, or lets us have none.
Result<> allowReadingOnly();
} // namespace dscope
