#pragma once
namespace dscope::cli {
/// For a handler of signals that ask for the end: whether this is the first. A later one ends the program at once, but for the first
/// one's echo: timeout(1) sends its signal to the command and to its group, sudo(8) hands on what the terminal has sent already.
bool isFirstToAsk();

/// From now on SIGINT, SIGTERM and SIGHUP ask us to end with what is there. A second one, half a second later or more, asks us not to
/// wait for others any longer; a third one ends us at once, with status 1. What was ignored at the start stays ignored. For who reads runs
/// of others; a run of our own is stopped by its own handler.
void catchInterruptions();
bool isInterrupted();
bool isInterruptedTwice();
} // namespace dscope::cli
