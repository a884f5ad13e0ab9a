#pragma once
#include "engine/record/record.h"
#include "graph/noun.h"
#include "graph/number.h"
#include "graph/run_probes.h"
#include <string>
#include <string_view>
#include <vector>
namespace dscope::graph {
class Store;
/// "module`function" without the offset. Without a function "module+0xoffset", which is the same in each run; "[unknown]" at the least.
/// "module`function". Functions without a name are told apart by their place in the module, where recordings have it.
enum class Unnamed : std::uint8_t { Placed, Alike };
std::string frameName(const record::Frame& frame, Unnamed unnamed);
/// What the recording of a run has of them.
Unnamed unnamedOf(const record::Program& program);
/// A key or payload field as one line of text: numbers in decimal, addresses of memory in hexadecimal, a stack by its
/// innermost frames.
std::string fieldText(const record::Field& field, ByteView bytes, const Store& store);
/// By field of an action: whether its format prints it as a moment (%Y, %T), in ns since 1970.
std::vector<bool> printedAsMoment(const record::Action& action);
/// Every key of a row, in the aggregation's order.
std::vector<std::string> keyTexts(const record::Aggregation& aggregation, ByteView key, const Store& store);
/// Puts the names of its keys behind `names`, each once: columns that several aggregations share.
void addKeyNames(std::vector<std::string>& names, const record::Aggregation& aggregation);
bool isStack(const record::Field& field);
bool isNumber(const record::Field& field);
/// "@bytes" gives "bytes", "@" gives "value": the CSV column.
std::string valueColumn(const record::Aggregation& aggregation);
/// "quantize(timestamp - self->ts) by execname": how a program's text describes an aggregation.
std::string describe(const record::Aggregation& aggregation);
std::string_view functionName(record::Aggregator function);
/// The one number that stands for a row: count, sum, min, max; the mean of avg; the deviation of stddev; how many
/// values fell into all buckets. Divided as normalize() says; what a fraction has no room beside is whole, as dtrace prints it.
Number rowValue(const record::Aggregation& aggregation, const record::AggregationRow& row, std::int64_t divisor);
/// Whole where it is; where a double has no room for the fraction, to a hundredth. 0 by a divisor of 0.
Number divided(WideInteger dividend, WideInteger divisor);
bool isQuantized(record::Aggregator function);
bool isQuantizing(const record::Aggregation& aggregation);
/// Whether its records tell when they were: those of foreign text don't.
bool tellsTimes(const record::Program& program);
/// What count() counts in this program: "samples" of profile probes, "calls" of system calls and functions, else "events".
Noun countedNoun(const Store& store);
/// "sum of arg2": what an aggregation's values are.
std::string valueInWords(const record::Aggregation& aggregation);
/// Whether a D expression is a literal, which does not tell what is measured.
bool isLiteral(std::string_view expression);
/// Whether two expressions are the same but for blanks between their words.
bool isSameExpression(std::string_view one, std::string_view other);
/// "Calls by execname, probefunc" of "Calls", for a title: keys that are literals are left out, and of many the first are named. Printable.
std::string byKeys(const std::string& what, const record::Aggregation& aggregation);
} // namespace dscope::graph
