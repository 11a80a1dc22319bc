// A sweep as JSON, as CSV and as a table.
#include <algorithm>
#include <roofline/sweep.hpp>
#include <roofline/text.hpp>

#include "write/json_out.hpp"

namespace roofline {
namespace {

std::string name_of(const SweepAxis& axis) {
  std::string out;
  for (const std::string& key : axis.keys) out += (out.empty() ? "" : "=") + key;
  return out;
}

std::string resource(const Sweep& s, std::uint8_t bound) { return bound == no_resource ? std::string() : s.resources[bound]; }

}  // namespace

std::string sweep_json(const Calculation& calculation, const SweepAxis& x, const std::optional<SweepAxis>& y, const Sweep& s) {
  return json_text([&](JsonOut& out) {
    const auto numbers = [&](std::string_view name, const std::vector<double>& values) {
      out.key(name);
      out.begin_array();
      for (const double v : values) out.value(v);
      out.end_array();
    };
    const auto axis = [&](const SweepAxis& a, const std::vector<double>& values) {
      out.begin_object();
      out.key("keys");
      out.begin_array();
      for (const std::string& key : a.keys) out.value(key);
      out.end_array();
      numbers("values", values);
      out.end_object();
    };
    out.begin_object();
    out.member("schema", "roofline-sweep/1");
    out.member("source", calculation.title());
    out.key("axes");
    out.begin_array();
    axis(x, s.x);
    if (y) axis(*y, s.y);
    out.end_array();
    numbers("flops", s.flops);
    out.key("formats");
    out.begin_array();
    for (std::size_t f = 0; f < s.series.size(); ++f) {
      const Sweep::Series& series = s.series[f];
      out.begin_object();
      out.member("format", calculation.formats[f].name);
      numbers("predicted_time_s", series.predicted_s);
      if (!y) numbers("typical_time_s", series.typical_s);
      if (!y) numbers("fused_time_s", series.fused_s);
      out.key("bound_by");
      out.begin_array();
      for (const std::uint8_t bound : series.bound) {
        if (bound == no_resource)
          out.null();
        else
          out.value(s.resources[bound]);
      }
      out.end_array();
      out.end_object();
    }
    out.end_array();
    out.key("crossings");
    out.begin_array();
    for (const Crossing& c : s.crossings) {
      out.begin_object();
      out.member("format", calculation.formats[c.format].name);
      out.member("at", c.at);
      out.member("from", s.resources[c.from]);
      out.member("to", s.resources[c.to]);
      out.end_object();
    }
    out.end_array();
    out.member_count("refused", s.refused);
    out.end_object();
  });
}

std::string sweep_csv(const Calculation& calculation, const SweepAxis& x, const std::optional<SweepAxis>& y, const Sweep& s) {
  std::string out = name_of(x) + (y ? ',' + name_of(*y) : "") + ",format,flops,predicted_time_s,attainable_flops,bound_by" +
                    (y ? "" : ",typical_time_s,fused_time_s") + "\r\n";
  for (std::size_t i = 0; i < s.flops.size(); ++i)
    for (std::size_t f = 0; f < s.series.size(); ++f) {
      const Sweep::Series& series = s.series[f];
      out += shortest(s.x[i % s.x.size()]) + ',';
      if (y) out += shortest(s.y[i / s.x.size()]) + ',';
      out += calculation.formats[f].name + ',' + shortest(s.flops[i]) + ',' + shortest(series.predicted_s[i]) + ',' +
             shortest(s.flops[i] / series.predicted_s[i]) + ',' + csv_cell(resource(s, series.bound[i]));
      if (!y) out += ',' + shortest(series.typical_s[i]) + ',' + shortest(series.fused_s[i]);
      out += "\r\n";
    }
  return out;
}

std::string sweep_table(const Calculation& calculation, const SweepAxis& x, const std::optional<SweepAxis>& y, const Sweep& s) {
  std::string out = printable(calculation.title()) + "\n\n";
  std::vector<bool> crosses(s.series.size());
  for (const Crossing& c : s.crossings) {
    out += calculation.formats[c.format].name + ": bound by " + s.resources[c.to] + " from " + name_of(x) + " = " + shortest(c.at) +
           " up (" + s.resources[c.from] + " below)\n";
    crosses[c.format] = true;
  }
  if (!y)
    for (std::size_t f = 0; f < s.series.size(); ++f)
      if (!crosses[f]) out += calculation.formats[f].name + ": the bound does not change\n";
  if (s.refused > 0) out += std::to_string(s.refused) + " of " + std::to_string(s.flops.size()) + " points are no valid shape\n";

  std::vector<std::vector<std::string>> rows(1);
  rows[0].push_back(name_of(x));
  if (y) rows[0].push_back(name_of(*y));
  for (const RoleFormats& format : calculation.formats) rows[0].push_back(format.name);
  constexpr std::size_t shown = 20;
  const std::size_t count = s.flops.size(), step = std::max<std::size_t>(1, (count + shown - 1) / shown);
  for (std::size_t i = 0; i < count; i += step) {
    auto& row = rows.emplace_back();
    row.push_back(shortest(s.x[i % s.x.size()]));
    if (y) row.push_back(shortest(s.y[i / s.x.size()]));
    for (const Sweep::Series& series : s.series)
      row.push_back(series.predicted_s[i] > 0 ? seconds(series.predicted_s[i]) + ' ' + resource(s, series.bound[i]) : "-");
  }
  return out + "\n" + align(rows, std::string(rows[0].size(), 'r')) + "\nthe predicted time and what bounds it" +
         (step > 1 ? ", every " + std::to_string(step) +
                         (step == 2   ? "nd"
                          : step == 3 ? "rd"
                                      : "th") +
                         " of " + std::to_string(count) + " points\n"
                   : "\n");
}

}  // namespace roofline
