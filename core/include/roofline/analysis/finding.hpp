// A sentence that answers a view's question. Each of its figures can be followed to the operations it was made from.
#pragma once

#include <optional>
#include <roofline/analysis/op_set.hpp>
#include <roofline/analysis/parity.hpp>
#include <roofline/analysis/selection.hpp>
#include <string>
#include <vector>

namespace roofline {

/// What a figure was made from.
struct Evidence {
  std::string formula;                                          ///< with the figures put in: "1.2 ms of 2.1 ms"
  Words categories = {}, bounds = {}, limits = {}, steps = {};  ///< the operations, in words of OpFilter; all empty: every one, or `op`
  std::optional<std::uint32_t> op = {};                         ///< the one operation
};

struct Finding {
  struct Part {
    std::string text;
    std::optional<Evidence> from;  ///< of a figure
  };
  std::vector<Part> parts;

  Finding& say(std::string text);
  Finding& figure(std::string text, Evidence from);
  [[nodiscard]] std::string text() const;
};

/// `finding`, preceded by "90% of the time is limited by neither compute nor memory" and `consequence`, such as ": expect the low end. ";
/// unchanged if some resource limits more of the measured time than is limited by neither.
[[nodiscard]] Finding with_caution(const Summary& s, const char* consequence, Finding finding);

/// Time by category of operation: self time, else measured, else predicted.
struct CategoryTotal {
  std::string name;
  std::size_t ops = 0;
  double time_s = 0;
  std::vector<double> by_bound_s;  ///< per resource of the plan, then what has no known bound
  double neither_s = 0;            ///< of operations that neither compute nor memory limits, which are not in by_bound_s
};
/// Most time first; without those that have no operation.
[[nodiscard]] std::vector<CategoryTotal> category_totals(const OpSet& ops);

/// "Convolution takes 59% of the time, 87% of it limited by DRAM; GEMM takes 22%." Empty where no operation has a time.
[[nodiscard]] Finding categories_finding(const OpSet& ops, const std::vector<CategoryTotal>& totals);

/// "The bound explains 77% of the measured time; conv1 loses most: it takes 7.5x its bound." Empty where nothing is measured.
[[nodiscard]] Finding parity_finding(const Plan& plan, const Parity& parity);

}  // namespace roofline
