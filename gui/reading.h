#pragma once
#include "engine/base/diagnostics.h"
#include "engine/syntax/ast.h"
#include "engine/syntax/source.h"
#include <QString>
namespace dscope::gui {
/// A D program as the parser reads it; macros stand for 0 or nothing.
struct Reading {
    syntax::Sources sources;
    std::uint32_t file = 0;
    ast::Program program;
    Diagnostics diagnostics;
    int arguments = 0; ///< the highest n of the macro arguments $n and $$n that are in it
    /// The first error, or null.
    const Diagnostic* error() const;
};
Reading readProgram(const QString& text);
} // namespace dscope::gui
