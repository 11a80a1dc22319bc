// Any text as an expression of the registry and as a condition of --fail-if: refused with a column, or a finite value or a reason why not.
#include <cmath>
#include <roofline/write/condition.hpp>

#include "check.hpp"

using namespace roofline;

namespace {

void check_expression(std::string_view text, bool parts) {
  Keys keys;
  const Variables variables{{"bytes_per_element", "unknown"}, parts};
  const auto expression = Expression::compile(text, keys, variables);
  if (!expression) {
    check(!expression.error().message.empty() && expression.error().column <= text.size() + 1);
    return;
  }
  check(expression->text() == text);
  for (const std::string_view field : expression->fields())
    check(!parts_of(field).front().empty() && (parts || parts_of(field).size() == 1));
  for (const char* record : {R"({"a": 3, "b": [4, 5, 6], "c": [[1, 2], 3], "s": "same", "t": true, "n": null})",
                             R"({"a": 1e308, "b": [], "c": [0, -1, NaN], "s": "", "t": false})", R"({"a": [1, "x"], "b": {"c": 1}})"}) {
    const auto parsed = parse_record(record, keys);
    check(parsed.has_value());
    const double values[] = {2, std::nan("")};
    const auto value = expression->evaluate((*parsed)->record, values);
    check(value ? std::isfinite(*value) : !value.error().message.empty());
  }
}

void check_condition(std::string_view text) {
  const auto condition = Condition::compile(text, Summarised::analysis);
  if (!condition) return check(!condition.error().message.empty());
  for (const char* summary :
       {R"({"ops": 3, "time_s": 0.25, "efficiency": 0.4, "machine": "h100-sxm", "bound_by": null, "by_status": {"unknown": 1}})",
        R"({"by_status": 3, "by_bound": {"HBM": null}, "ops": "many", "estimate": []})", "{}"}) {
    const auto verdict = condition->test(summary);
    check(!(verdict ? verdict->sentence : verdict.error().message).empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_expression(text, false);
  check_expression(text, true);
  check_condition(text);
  return 0;
}
