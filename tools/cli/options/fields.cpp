#include "options/fields.hpp"

#include <roofline/base/text.hpp>

namespace roofline::cli {

std::string unit_of(const std::string& key, const std::string& group_unit) {
  if (key == "achievable" || group_unit == "%") return "%";
  if (key == "matrix" || key == "vector" || key == "sparse") return "FLOP/s";
  if (key == "bandwidth" || key == "read_bandwidth" || key == "write_bandwidth") return "B/s";
  if (key == "capacity") return "B";
  if (key == "tdp_w") return "W";
  if (key == "launch_s") return "s";
  return group_unit;
}

std::string field_text(const Json& value, const std::string& unit) {
  if (value.is_null()) return unit.empty() ? "-" : "unknown";
  if (value.is_string()) return printable(value.get_ref<const std::string&>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (!value.is_number()) return value.dump();
  if (unit == "%") return percent(value.get<double>());
  if (!unit.empty()) return with_unit(value.get<double>(), unit);
  const std::string digits = value.dump();  // all of them: 4.0625 bits are not 4.06
  const bool whole = digits.size() > 2 && digits.compare(digits.size() - 2, 2, ".0") == 0;
  return whole ? digits.substr(0, digits.size() - 2) : digits;
}

}  // namespace roofline::cli
