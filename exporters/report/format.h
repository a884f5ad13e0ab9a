#pragma once
#include "engine/base/result.h"
#include "exporters/report/report.h"
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::reports {
/// A folder beside a report, for formats that keep their figures in files of their own. It is made when the first is added.
class Beside {
public:
    virtual ~Beside() = default;
    virtual std::string folder() const = 0; ///< its name, relative to the report: "build_files"
    virtual Result<> add(std::string_view name, std::string_view bytes) = 0;
};
/// One format of reports = one file in exporters/reports/ that defines std::unique_ptr<Format> make_<file>().
class Format {
public:
    virtual ~Format() = default;
    virtual std::string_view suffix() const = 0;     ///< "odp"
    virtual std::string_view summary() const = 0;    ///< "slides, OpenDocument"
    virtual bool holdsRuns() const { return false; } ///< its files open again: they have Report::data inside
    virtual Result<> write(const report::Report&, Beside&, std::ostream&) const = 0;
};
/// All formats, by suffix. Generated from the files in exporters/reports/.
std::vector<std::unique_ptr<Format>> all();
} // namespace dscope::reports
