#include "analysis/wording.hpp"

#include <cmath>
#include <cstdio>

namespace roofline {

std::string with_commas(std::size_t n) {
  std::string out = std::to_string(n);
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, ",");
  return out;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string quantity(std::size_t n, const char* one, const char* many) { return with_commas(n) + ' ' + (n == 1 ? one : many); }

std::string times(double factor) {
  char buffer[32];
  factor = std::nextafter(factor, HUGE_VAL);  // ties away from zero, as in base/text.cpp and on the page
  std::snprintf(buffer, sizeof buffer, factor < 1.095 ? "%.2fx" : factor < 9.95 ? "%.1fx" : "%.0fx", factor);
  return buffer;
}

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
