#pragma once
#include <cstdint>
#include <string>
namespace dscope {
/// Lets this process have as many files open as its hard limit allows. Files of a traced machine are kept open, a few for each library.
void raiseDescriptorLimit();
/// How many files this process may have open.
std::uint64_t descriptorLimit();
/// In a child, before exec: the limit as it was before raiseDescriptorLimit().
void restoreDescriptorLimit();
/// To be called with errno after a file could not be opened whose absence means something: it counts those for which this process, or the
/// machine, has too many open (EMFILE, ENFILE). They are not missing. May be called in any thread; keeps errno.
void noteUnopened(int why);
/// How many there were so far. Of the whole process, as the limit is.
std::uint64_t unopened();
/// The same as a sentence, with the limit; empty when there were none.
std::string unopenedText();
} // namespace dscope
