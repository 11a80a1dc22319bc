#include "session/questions/sqnr.hpp"

#include <cmath>
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

namespace {

/// The SQNR (dB, by FormatId) of the layers' mean noise. NaN for a format that some layer lacks.
std::vector<double> sqnr_of_mean(const Json& layers) {
  std::vector<double> noise(Formats::catalogue().size(), 0);
  for (const auto& [name, sqnr_db] : layers.items()) {
    const std::vector<double> db = sqnr_by_format(sqnr_db);
    for (std::size_t f = 0; f < noise.size(); ++f) noise[f] += std::pow(10, -db[f] / 10) / static_cast<double>(layers.size());
  }
  for (double& n : noise) n = -10 * std::log10(n);
  return noise;
}

}  // namespace

std::vector<double> with_assumed_activations(std::vector<double> weights_db, Roles roles) {
  if (roles == Roles::weights) return weights_db;
  const std::vector<double>& assumed = sqnr_table(Sample::gaussian);
  for (std::size_t f = 0; f < weights_db.size(); ++f)
    if (assumed[f] < weights_db[f] && !Formats::catalogue().all()[f].weights_only) weights_db[f] = assumed[f];
  return weights_db;
}

Result<std::vector<double>> sqnr_of(const Json& request) {
  const Roles roles = roles_of(request);
  if (const Json& layers = member(request, "mean_of"); layers.is_object() && !layers.empty())
    return with_assumed_activations(sqnr_of_mean(layers), roles);
  const Json &given = member(request, "sqnr_db"), &name = member(request, "sample");
  std::vector<double> sqnr = sqnr_by_format(given);
  if (given.is_object() && name.is_null()) return with_assumed_activations(std::move(sqnr), roles);
  const auto sample = name.is_null() ? Sample::gaussian : named<Sample>(text_of(name));
  if (!sample) return fail("expected " + any_of_names<Sample>(), "sample");
  const std::vector<double>& table = sqnr_table(*sample);
  for (std::size_t f = 0; f < sqnr.size(); ++f)
    if (std::isnan(sqnr[f])) sqnr[f] = table[f];
  return sqnr;
}

}  // namespace roofline
