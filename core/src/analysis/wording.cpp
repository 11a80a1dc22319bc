#include "analysis/wording.hpp"

namespace roofline {

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string quantity(std::size_t n, const char* one, const char* many) { return with_commas(n) + ' ' + (n == 1 ? one : many); }

std::string faster(double low, double high) {
  if (high < 1) return times(1 / high) + (low < 0.98 * high ? " to " + times(1 / low) : std::string()) + " slower";
  return (low < 0.98 * high ? times(low) + " to " + times(high) : times(high)) + " faster";
}

std::string on_assumed(const Scenario& scenario) {
  return scenario.basis == MachineBasis::assumed ? " on an assumed " + scenario.machine.name : std::string();
}

std::string bound_word(const Plan& plan, std::uint8_t resource) {
  if (resource == no_resource) return "without a bound";
  switch (plan.resources()[resource].kind) {
    case ResourceKind::compute:
      return "compute-bound";
    case ResourceKind::memory:
      return "memory-bound";
    case ResourceKind::link:
      break;
  }
  return "link-bound";
}

}  // namespace roofline
