#include "session/questions/sqnr.hpp"

#include <limits>
#include <roofline/accuracy/accuracy.hpp>

namespace roofline {

Roles roles_of(const Json& request) { return named<Roles>(text_of(member(request, "roles"))).value_or(Roles::all); }

std::vector<double> sqnr_by_format(const Json& sqnr_db) {
  const Formats& formats = Formats::catalogue();
  std::vector<double> sqnr(formats.size(), unknown);
  for (const auto& [name, value] : sqnr_db.items())
    if (const auto format = formats.find(name))
      sqnr[*format] = value.is_null() ? std::numeric_limits<double>::infinity() : number_of(value);
  return sqnr;
}

Result<std::vector<double>> sqnr_of(const Json& request) {
  const Json& given = member(request, "sqnr_db");
  if (given.is_object()) return sqnr_by_format(given);
  const Json& name = member(request, "sample");
  const auto sample = name.is_null() ? Sample::gaussian : named<Sample>(text_of(name));
  if (!sample) return fail("expected gaussian, student_t5 or outlier_channels", "sample");
  return sqnr_table(*sample);
}

}  // namespace roofline
