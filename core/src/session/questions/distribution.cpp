// "distribution": how many operations have which value of a metric, in bins of equal width on a logarithmic scale.
//   {"metric": "efficiency", "bins": 40} -> {"metric", "edges": [41 numbers], "known", "unknown", "least", "most", "median", "finding"},
//   ops and time per bin
#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>

#include "analysis/finding_json.hpp"
#include "analysis/wording.hpp"
#include "session/questions/metrics.hpp"
#include "session/questions/questions.hpp"

namespace roofline {
namespace {

struct MetricWords {
  const char* noun;
  std::string (*text)(double value);
};
/// By Metric, without ops.
constexpr MetricWords metric_words[] = {{"rate", [](double value) { return with_unit(value, "FLOP/s"); }},
                                        {"efficiency", percent},
                                        {"time", seconds},
                                        {"intensity", [](double value) { return with_unit(value, "FLOP/B"); }},
                                        {"bandwidth", [](double value) { return with_unit(value, "B/s"); }}};

}  // namespace

Result<Answer> ask_distribution(const QuestionContext& of, const Json& request) {
  const std::string name = text_of(member(request, "metric"));
  const auto metric = named<Metric>(name.empty() ? "efficiency" : name);
  if (!metric || *metric == Metric::ops)
    return fail("no metric is called \"" + name + "\": expected achieved, efficiency, time, intensity or bandwidth", "metric");
  const std::size_t bins = std::max<std::size_t>(count_in(request, "bins", 40, 500), 1);

  std::vector<float> values, times;
  std::size_t missing = 0;
  for_each_block(of.ops, [&](const OpBlock& block) {
    for (std::size_t j = 0; j < block.count; ++j) {
      Totals one;
      one.add(block, j);
      const double value = one.value(*metric);
      if (!(value > 0) || value - value != 0) {
        ++missing;
        continue;
      }
      values.push_back(static_cast<float>(value));
      const double time = one.value(Metric::time);
      times.push_back(static_cast<float>(time == time ? time : 0));
    }
  });

  Answer answer;
  std::vector<float> ops(bins), time(bins);
  std::vector<double> edges;
  double least = unknown, greatest = unknown, median = unknown;
  Finding finding;
  if (!values.empty()) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    least = *low, greatest = *high;
    const double first = std::log10(least), last = std::max(std::log10(greatest), first + 0.01);
    const double per_decade = static_cast<double>(bins) / (last - first);
    for (std::size_t i = 0; i <= bins; ++i) edges.push_back(std::pow(10, first + static_cast<double>(i) / per_decade));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double at = (std::log10(static_cast<double>(values[i])) - first) * per_decade;
      const std::size_t bin = std::min(static_cast<std::size_t>(std::max(at, 0.0)), bins - 1);
      ops[bin] += 1;
      time[bin] += times[i];
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    median = *middle;
    const auto& [noun, text] = metric_words[static_cast<std::size_t>(*metric)];
    finding.say("The median " + std::string(noun) + " of " + quantity(values.size(), "operation") + " is ")
        .figure(text(median), {"the median of " + with_commas(values.size())})
        .say("; the range is " + text(least) + " to " + text(greatest) + ".");
  }
  answer.json = json_text([&](JsonOut& out) {
    out.begin_object();
    write_finding(out, finding);
    out.member("metric", to_string(*metric));
    out.member_count("known", values.size());
    out.member_count("unknown", missing);
    out.member("least", least);
    out.member("most", greatest);
    out.member("median", median);
    out.list("edges", edges);
    out.end_object();
  });
  answer.columns.emplace_back("ops", std::move(ops));
  answer.columns.emplace_back("time", std::move(time));
  return answer;
}

}  // namespace roofline
