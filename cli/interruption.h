#pragma once
namespace dscope::cli {
/// From now on SIGINT, SIGTERM and SIGHUP ask us to end with what is there; a second one ends us at once. What was ignored at the start
/// stays ignored. For who reads runs of others; a run of our own is stopped by its own handler.
void catchInterruptions();
bool isInterrupted();
} // namespace dscope::cli
