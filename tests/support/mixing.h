#pragma once
#include <QByteArray>
namespace dscope::tests {
/// C whose functions rotl() and step() are inlined into mix(), which is not: step() in its line 16, rotl() in lines 9 and 10.
inline const QByteArray kMixing = "#include <stdlib.h>\n"
                                  "#define N __attribute__((noipa, noinline))\n"
                                  "static inline unsigned rotl(unsigned x, int n)\n"
                                  "{\n"
                                  "    return (x << n) | (x >> (32 - n));\n"
                                  "}\n"
                                  "static inline unsigned step(unsigned x, unsigned y)\n"
                                  "{\n"
                                  "    x = rotl(x ^ y, 7);\n"
                                  "    return rotl(x + y, 13) * 5;\n"
                                  "}\n"
                                  "N unsigned mix(const unsigned* v, int n)\n"
                                  "{\n"
                                  "    unsigned x = 1;\n"
                                  "    for (int i = 0; i < n; ++i)\n"
                                  "        x = step(x, v[i]);\n"
                                  "    return x;\n"
                                  "}\n";
} // namespace dscope::tests
