#pragma once
namespace dscope::cli {
/// For a handler of signals that ask for the end: whether this is the first. A later one ends the program at once, but for the first
/// one's echo: timeout(1) sends its signal to the command and to its group, sudo(8) hands on what the terminal has sent already.
bool isFirstToAsk();

/// From now on SIGINT, SIGTERM and SIGHUP ask us to end with what is there; a later one ends us at once, as isFirstToAsk() says. What was
/// ignored at the start stays ignored. For who reads runs of others; a run of our own is stopped by its own handler.
void catchInterruptions();
bool isInterrupted();
} // namespace dscope::cli
