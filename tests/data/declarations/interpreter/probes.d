#include "choices.h"

provider speech {
  /*
     speech:::method-entry(classname, methodname, filename, lineno);

     * `classname` an own "quote, and $" in a comment (a string)
  */
  probe method__entry(const char *classname, const char *methodname, const char *filename, int lineno);
  probe raise(const char *classname, const char *filename, int lineno);
  probe array__create(long length, const char *filename, int lineno);

#if COUNTS_WORDS
  probe word(const char *text);
#endif
#if COUNTS_LETTERS
  probe letter(const char *text);
#endif

  probe gc__mark__begin();
};

#pragma D attributes Stable/Evolving/Common provider speech provider
#pragma D attributes Stable/Evolving/Common provider speech module
#pragma D attributes Stable/Evolving/Common provider speech function
#pragma D attributes Evolving/Evolving/Common provider speech name
#pragma D attributes Evolving/Evolving/Common provider speech args
