#pragma once
#include "graph/distribution.h"
#include "graph/page.h"
#include "graph/process_family.h"
#include "graph/ranking.h"
#include "graph/stacks.h"
#include <span>
#include <string>
#include <string_view>
#include <vector>
/// What a figure's title claims: the one thing that its data says beyond doubt, or nothing. Each function says when it claims.
namespace dscope::graph {
struct Claim {
    std::string text;                      ///< empty: nothing is claimed
    std::vector<std::string> shorter = {}; ///< the same in fewer words, for narrow pages, whose subtitle and marks say the rest
    bool empty() const { return text.empty(); }
};
/// The one part of stacks that most end in.
struct LargestEnd {
    std::string name;                ///< as a title says it; empty: nobody knows what it is
    std::int64_t most = 0, next = 0; ///< what ends in it, and in the part that comes second
};
/// "65 % of the CPU time (0.6 of 0.92 s, run 3.49 s) is in mix()", "65 % in mix()": when one function has by itself a quarter of everything
/// or more, and more than any other by more than chance; of counts not when fewer than kFewestCounted. Samples are time only where it is
/// known for how much each stands. Of probes at a certain place it is the first function that they do not imply: "98 % of the waiting time
/// is in anon_pipe_write()", "98 % of the calls come from parse()".
Claim headlineOf(const Stacks& stacks);
/// The same of another part than a function: "35 % of the samples are in hot.c:17". Nothing where a probe implies where stacks end.
Claim headlineOf(const Stacks& stacks, const LargestEnd& end);
/// "dd has 70 % of all bytes": when one of several keys has half of everything or more; of counts not when fewer than kFewestCounted.
/// `noun`: of what is counted, as it is said.
Claim headlineOf(const Ranking& ranking, const std::string& noun);
/// "62 % of the calls take less than 2.0 µs, 1.3 % take 1.0 ms or more": of a single distribution of times or sizes, with
/// kFewestCounted values or more: the ends of the buckets of its median and its 99th percentile, when these are two.
Claim headlineOf(std::span<const DistributionGroup> groups, const std::string& noun);
/// "58.2 of 96.7 ms are one process: cc1 list.c": when a process on the critical path that started no other took half of the root's time
/// or more, and clearly more than any other that started none: a tenth of that time and a quarter of the other's. What a background job or
/// the neighbours in a pipeline take decides nothing, and neither does a process that goes on when the root has ended.
Claim headlineOf(const Family& family, Privacy privacy);
constexpr double kFewestCounted = 100;
/// A function as titles name it, without its module and as short as it can be: "mix()", "vector::push_back()". Empty if unknown.
std::string functionInTitle(std::string_view frame);
/// "81 %", "more than 99 %".
std::string shareInTitle(double share);
/// Title and subtitle of a figure. If the data supports a claim and the user set no title, the claim is the title; on a narrow page the
/// longest of its forms that is a line there, or none.
Headed headed(const LayoutOptions& options, const Claim& claim, std::string title, std::string subtitle);
/// What a page says where its data is of all processes though the run was about one: its title says so, or, where the user set that or it
/// has no room, the subtitle.
Headed headedByWhose(const LayoutOptions& options, Headed words, const Whose& whose);
/// The first of a title's forms, the longest first, that is one line on a narrow page, and on others is drawn whole; else the last. On
/// screen and where no title is drawn the first.
std::string fittingTitle(const LayoutOptions& options, const std::vector<std::string>& forms);
/// Such forms of a title about a function, which it keeps, in place of %1; `brief` where there is less room: "Callers and callees of
/// libc.so.6`qsort", "Callers and callees of qsort", "Around qsort", "qsort". Both are said.
std::vector<std::string> titlesAbout(const char* title, const char* brief, std::string_view frame);
} // namespace dscope::graph
