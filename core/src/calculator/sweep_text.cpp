// A sweep as JSON, as CSV and as a table.
#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/calculator/sweep.hpp>

#include "analysis/finding_json.hpp"
#include "analysis/wording.hpp"
#include "base/csv_row.hpp"
#include "base/joined.hpp"
#include "base/schemas.hpp"
#include "base/sort_stably.hpp"

namespace roofline {
namespace {

std::string name_of(const SweepAxis& axis) { return joined(axis.keys, "="); }

/// "INT8", "INT8 and FP8", "INT8, FP8 and MXFP8".
std::string listed(const Calculation& calculation, const std::vector<std::size_t>& formats) {
  std::vector<std::string> names;
  for (const std::size_t f : formats) names.push_back(calculation.formats[f].spoken());
  return roofline::listed(names);
}

/// "INT8 wins", "INT8 and FP8 tie".
std::string then_win(const Calculation& calculation, const std::vector<std::size_t>& formats) {
  return listed(calculation, formats) + (formats.size() > 1 ? " tie" : calculation.formats[formats[0]].weights_alone() ? " win" : " wins");
}

/// The first of a list: "INT8 wins", "INT8 and FP8 tie for the fastest".
std::string win(const Calculation& calculation, const std::vector<std::size_t>& formats) {
  return then_win(calculation, formats) + (formats.size() > 1 ? " for the fastest" : "");
}

/// The formats that lead after `before`: "; INT8 wins", "; INT8 and FP8 tie", "; all are equally fast"; ", tie with INT8" if the one that
/// led still does.
std::string then_lead(const Calculation& calculation, const std::vector<std::size_t>& before, std::vector<std::size_t> formats) {
  if (formats.size() == calculation.formats.size()) return "; all are equally fast";
  const auto goes_on = before.size() == 1 ? std::find(formats.begin(), formats.end(), before[0]) : formats.end();
  if (goes_on == formats.end()) return "; " + then_win(calculation, formats);
  formats.erase(goes_on);
  return (calculation.formats[before[0]].weights_alone() ? ", tie with " : ", ties with ") + listed(calculation, formats);
}

/// Formats of which no time is known at any point: the machine has no rate for them.
std::vector<std::size_t> without_rate(const Sweep& s) {
  std::vector<std::size_t> out;
  const auto any = [](const std::vector<double>& times) { return std::any_of(times.begin(), times.end(), known); };
  for (std::size_t f = 0; f < s.series.size(); ++f)
    if (!any(s.series[f].typical_s) && !any(s.series[f].predicted_s)) out.push_back(f);
  return out;
}

/// "INT4 weights win at 61% of the points; INT8 wins at 39%."
Finding map_finding(const Calculation& calculation, const Sweep& s) {
  Finding out;
  if (calculation.formats.size() < 2) return out;
  const FastestFormats& fastest = s.fastest;
  std::vector<std::size_t> wins(fastest.sets.size()), most_first;
  std::size_t points = 0;
  for (const std::uint8_t set : fastest.at)
    if (set != FastestFormats::none) ++wins[set], ++points;
  for (std::size_t set = 0; set < wins.size(); ++set)
    if (200 * wins[set] >= points) most_first.push_back(set);  // those below 0.5% are specks
  sort_stably(most_first, [&](std::size_t a, std::size_t b) { return wins[a] > wins[b]; });
  for (const std::size_t set : most_first) {
    const bool first = set == most_first[0];
    out.say(first ? win(calculation, fastest.sets[set]) : "; " + then_win(calculation, fastest.sets[set]));
    out.say(wins[set] == points
                ? " everywhere"
                : " at " + percent(static_cast<double>(wins[set]) / static_cast<double>(points)) + (first ? " of the points" : ""));
  }
  if (points > 0) out.say(".");
  const bool tied = std::any_of(most_first.begin(), most_first.end(), [&](std::size_t set) { return fastest.sets[set].size() > 1; });
  return s.one_peak && tied ? out.say(std::string(" ") + one_rate_for_all) : out;
}

}  // namespace

Finding sweep_finding(const Calculation& calculation, const SweepAxis& x, const Sweep& s) {
  Finding out;
  const std::vector<std::size_t> lacking = without_rate(s);
  if (const std::size_t all = calculation.formats.size(); !lacking.empty() && s.series.size() == all && lacking.size() + 1 >= all)
    return out.say("The machine has no known rate for " + listed(calculation, lacking) + ".");
  if (s.leads.empty()) return map_finding(calculation, s);
  if (s.series.size() != calculation.formats.size()) return out;
  const std::string axis = name_of(x);
  const auto below = [&](double at) { return " below " + axis + " = " + number(at); };
  const auto from = [](double at, bool last) { return " from " + number(at) + (last ? " up" : ""); };
  if (calculation.formats.size() == 1) {
    const std::string name = calculation.formats[0].spoken();
    if (s.crossings.empty()) {
      const std::uint8_t bound = s.series[0].bound[0];
      return bound == no_resource ? out : out.say(name + " is bound by " + s.resources[bound] + " all along.");
    }
    out.say(name + " is bound by " + s.resources[s.crossings[0].from] + below(s.crossings[0].at));
    for (const Crossing& c : s.crossings) out.say(", by " + s.resources[c.to] + from(c.at, &c == &s.crossings.back()));
    return out.say(".");
  }
  const auto spoken = [&](const std::vector<Lead>& leads) {
    if (leads.size() == 1) {
      const std::vector<std::size_t>& formats = leads[0].formats;
      if (formats.size() == calculation.formats.size()) return listed(calculation, formats) + " take the same time all along.";
      return win(calculation, formats) + " all along, from " + axis + " = " + number(s.x.front()) + " to " + number(s.x.back()) + ".";
    }
    std::string text = win(calculation, leads[0].formats) + below(leads[1].from);
    for (std::size_t i = 1; i < leads.size(); ++i)
      text += then_lead(calculation, leads[i - 1].formats, leads[i].formats) + from(leads[i].from, i + 1 == leads.size());
    return text + ".";
  };
  const std::string bounds = spoken(s.leads);
  const std::vector<Lead>& leads = s.typical_leads.empty() ? s.leads : s.typical_leads;
  std::string leading = spoken(leads);
  const auto same_formats = [](const Lead& x, const Lead& y) { return x.formats == y.formats; };
  const bool same_order = leads.size() > 1 && std::equal(leads.begin(), leads.end(), s.leads.begin(), s.leads.end(), same_formats);
  if (s.typical_leads.empty()) {
    out.say(leading);
  } else if (leading == bounds) {
    out.say(leading + " The bounds agree.");
  } else if (same_order) {
    std::vector<std::string> crossovers;
    for (std::size_t i = 1; i < s.leads.size(); ++i) crossovers.push_back(number(s.leads[i].from));
    out.say(leading + " By the bounds alone, they cross at " + axis + " = " + roofline::listed(crossovers) + ".");
  } else {
    out.say(leading + " By the bounds alone, " + bounds);
  }
  const bool tied = std::any_of(leads.begin(), leads.end(), [](const Lead& lead) { return lead.formats.size() > 1; });
  return s.one_peak && tied ? out.say(std::string(" ") + one_rate_for_all) : out;
}

namespace {

struct AxisValues {
  const SweepAxis& axis;
  const std::vector<double>& values;
};
constexpr Member<AxisValues> axis_members[] = {
    {"keys", schema::texts, "parameters that are equal", [](JsonOut& out, const AxisValues& a) { write_value(out, a.axis.keys); }},
    {"values", schema::series, "", [](JsonOut& out, const AxisValues& a) { write_value(out, a.values); }}};

struct Document {
  const Calculation& calculation;
  const SweepAxis& x;
  const std::optional<SweepAxis>& y;
  const Sweep& s;
};

/// One format over the points.
struct Curve {
  const Document& d;
  const RoleFormats& format;
  const Sweep::Series& series;
};
constexpr Member<Curve> format_members[] = {
    {"format", schema::text, "", [](JsonOut& out, const Curve& c) { out.value(c.format.name); }},
    {"predicted_time_s", schema::series, "s", [](JsonOut& out, const Curve& c) { write_value(out, c.series.predicted_s); }},
    {"typical_time_s", schema::series, "s", [](JsonOut& out, const Curve& c) { write_value(out, c.series.typical_s); }},
    {"fused_time_s", schema::series, "s", [](JsonOut& out, const Curve& c) { write_value(out, c.series.fused_s); }},
    {"bound_by", schema::names, "", [](JsonOut& out, const Curve& c) {
       out.begin_array();
       for (const std::uint8_t bound : c.series.bound) write_name(out, resource_name(c.d.s.resources, bound));
       out.end_array();
     }}};

struct CrossingOf {
  const Document& d;
  const Crossing& crossing;
};
constexpr Member<CrossingOf> crossing_members[] = {
    {"format", schema::text, "", [](JsonOut& out, const CrossingOf& c) { out.value(c.d.calculation.formats[c.crossing.format].name); }},
    {"at", schema::number, "the first whole number", [](JsonOut& out, const CrossingOf& c) { out.value(c.crossing.at); }},
    {"from", schema::text, "what bounds below", [](JsonOut& out, const CrossingOf& c) { out.value(c.d.s.resources[c.crossing.from]); }},
    {"to", schema::text, "what bounds from there up",
     [](JsonOut& out, const CrossingOf& c) { out.value(c.d.s.resources[c.crossing.to]); }}};

struct LeadOf {
  const Document& d;
  const Lead& lead;
};
constexpr Member<LeadOf> lead_members[] = {{"from", schema::number, "", [](JsonOut& out, const LeadOf& l) { out.value(l.lead.from); }},
                                           {"formats", schema::texts, "equal within 0.1%", [](JsonOut& out, const LeadOf& l) {
                                              out.begin_array();
                                              for (const std::size_t f : l.lead.formats) out.value(l.d.calculation.formats[f].name);
                                              out.end_array();
                                            }}};

void write_leads(JsonOut& out, const Document& d, const std::vector<Lead>& leads) {
  std::vector<LeadOf> rows;
  for (const Lead& lead : leads) rows.push_back({d, lead});
  write_objects<lead_members>(out, rows);
}

constexpr Member<Document> members[] = {
    document_id<Document>("roofline-sweep/1"),
    {"source", schema::text, "", [](JsonOut& out, const Document& d) { out.value(d.calculation.title()); }},
    {"axes", R"("type":"array","items":{"$ref":"#/$defs/axis"})", "one or two",
     [](JsonOut& out, const Document& d) {
       std::vector<AxisValues> axes{{d.x, d.s.x}};
       if (d.y) axes.push_back({*d.y, d.s.y});
       write_objects<axis_members>(out, axes);
     }},
    {"flops", schema::series, "", [](JsonOut& out, const Document& d) { write_value(out, d.s.flops); }},
    {"formats", R"("type":"array","items":{"$ref":"#/$defs/format"})", "",
     [](JsonOut& out, const Document& d) {
       std::vector<Curve> curves;
       for (std::size_t f = 0; f < d.s.series.size(); ++f) curves.push_back({d, d.calculation.formats[f], d.s.series[f]});
       write_objects<format_members>(out, curves);
     }},
    {"crossings", R"("type":"array","items":{"$ref":"#/$defs/crossing"})", "where what bounds changes",
     [](JsonOut& out, const Document& d) {
       std::vector<CrossingOf> crossings;
       for (const Crossing& c : d.s.crossings) crossings.push_back({d, c});
       write_objects<crossing_members>(out, crossings);
     }},
    {"leads", R"("type":"array","items":{"$ref":"#/$defs/lead"})", "which formats are fastest from where",
     [](JsonOut& out, const Document& d) { write_leads(out, d, d.s.leads); }},
    {"typical_leads", R"("type":"array","items":{"$ref":"#/$defs/lead"})", "the same by the typical times; of one axis",
     [](JsonOut& out, const Document& d) { write_leads(out, d, d.s.typical_leads); }, [](const Document& d) { return !d.y; }},
    {"finding", R"("type":"array","items":{"$ref":"#/$defs/finding_part"})", "",
     [](JsonOut& out, const Document& d) { write_finding_value(out, sweep_finding(d.calculation, d.x, d.s)); }},
    {"refused", schema::count, "points whose shape is wrong", [](JsonOut& out, const Document& d) { out.count(d.s.refused); }}};

}  // namespace

ObjectSchema sweep_schema() { return ObjectSchema().with(members); }
Definitions sweep_definitions() {
  return {{"axis", ObjectSchema().with(axis_members)},
          {"format", ObjectSchema().with(format_members)},
          {"crossing", ObjectSchema().with(crossing_members)},
          {"lead", ObjectSchema().with(lead_members)}};
}

std::string sweep_json(const Calculation& calculation, const SweepAxis& x, const std::optional<SweepAxis>& y, const Sweep& s) {
  return json_text([&](JsonOut& out) { write_object<members>(out, Document{calculation, x, y, s}); });
}

std::string sweep_csv(const Calculation& calculation, const SweepAxis& x, const std::optional<SweepAxis>& y, const Sweep& s) {
  std::string out = name_of(x) + (y ? ',' + name_of(*y) : "") +
                    ",format,flops,predicted_time_s,attainable_flops,bound_by,typical_time_s,fused_time_s\r\n";
  for (std::size_t i = 0; i < s.flops.size(); ++i)
    for (std::size_t f = 0; f < s.series.size(); ++f) {
      const Sweep::Series& series = s.series[f];
      out += shortest(s.x[i % s.x.size()]) + ',';
      if (y) out += shortest(s.y[i / s.x.size()]) + ',';
      out += calculation.formats[f].name + ',' + shortest(s.flops[i]) + ',' + shortest(series.predicted_s[i]) + ',' +
             shortest(series.unit_flops[i] / series.predicted_s[i]) + ',' + csv_cell(resource_name(s.resources, series.bound[i])) + ',' +
             shortest(series.typical_s[i]) + ',' + shortest(series.fused_s[i]) + "\r\n";
    }
  return out;
}

namespace {

/// Up to `most` of `count` indices, evenly spread, the first and the last among them.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> out;
  if (count <= most) most = count;
  for (std::size_t i = 0; i < most; ++i) out.push_back(most > 1 ? i * (count - 1) / (most - 1) : 0);
  return out;
}

std::string ordinal(std::size_t n) { return std::to_string(n) + (n == 2 ? "nd" : n == 3 ? "rd" : "th"); }

/// Letters for the resources: as many of a name's as tell it from the others, "c" for compute, "HB" and "HL".
std::vector<std::string> marks_of(const std::vector<std::string>& names) {
  std::vector<std::string> marks;
  for (const std::string& name : names) {
    std::size_t length = 1;
    const auto shared = [&](std::size_t n) {
      return std::count_if(names.begin(), names.end(), [&](const std::string& other) { return other.substr(0, n) == name.substr(0, n); }) >
             1;
    };
    while (length < name.size() && shared(length)) ++length;
    marks.push_back(printable(name.substr(0, length)));
  }
  return marks;
}

constexpr std::size_t most_columns = 10, most_lines = 20;

/// A table over two ranges: `cell(i)` of up to 10 by 20 points.
template <class Cell>
std::string grid(const SweepAxis& x, const SweepAxis& y, const Sweep& s, const Cell& cell) {
  std::vector<std::vector<std::string>> rows(1, {name_of(y) + " \\ " + name_of(x)});
  const std::vector<std::size_t> columns = spread(s.x.size(), most_columns);
  for (const std::size_t column : columns) rows[0].push_back(shortest(s.x[column]));
  for (const std::size_t line : spread(s.y.size(), most_lines)) {
    auto& row = rows.emplace_back();
    row.push_back(shortest(s.y[line]));
    for (const std::size_t column : columns) row.push_back(cell(line * s.x.size() + column));
  }
  return align(rows, std::string(rows[0].size(), 'r'));
}

/// "; 10 x 20 of 64 x 64 points", where not all are shown.
std::string omitted_note(const Sweep& s) {
  const std::size_t columns = std::min(s.x.size(), most_columns), lines = std::min(s.y.size(), most_lines);
  if (columns * lines == s.flops.size()) return "\n";
  return "; " + with_commas(columns) + " x " + with_commas(lines) + " of " + with_commas(s.x.size()) + " x " + with_commas(s.y.size()) +
         " points\n";
}

std::string fastest_grid(const Calculation& calculation, const SweepAxis& x, const SweepAxis& y, const Sweep& s) {
  const FastestFormats& fastest = s.fastest;
  std::vector<std::string> names;
  for (const std::vector<std::size_t>& set : fastest.sets) {
    std::vector<std::string> formats;
    for (const std::size_t f : set) formats.push_back(calculation.formats[f].name);
    names.push_back(joined(formats, " = "));
  }
  return grid(x, y, s, [&](std::size_t i) { return fastest.at[i] == FastestFormats::none ? "-" : names[fastest.at[i]]; }) +
         "\nthe fastest format by the estimates" + omitted_note(s);
}

/// A table for each format.
std::string format_grids(const Calculation& calculation, const SweepAxis& x, const SweepAxis& y, const Sweep& s, SweepCell cell) {
  const std::vector<std::string> marks = marks_of(s.resources);
  std::vector<bool> seen(marks.size());
  std::string out;
  for (std::size_t f = 0; f < s.series.size(); ++f) {
    const Sweep::Series& series = s.series[f];
    out += (f > 0 ? "\n" : "") + calculation.formats[f].name + '\n' + grid(x, y, s, [&](std::size_t i) -> std::string {
             const std::uint8_t bound = series.bound[i];
             if (bound == no_resource || !(series.predicted_s[i] > 0)) return "-";
             seen[bound] = true;
             if (cell == SweepCell::bound) return printable(s.resources[bound]);
             return (cell == SweepCell::rate ? WorkUnit(s.in_macs).rate(series.unit_flops[i] / series.predicted_s[i])
                                             : seconds(series.predicted_s[i])) +
                    ' ' + marks[bound];
           });
  }
  out += cell == SweepCell::bound ? "\nwhat bounds" : cell == SweepCell::rate ? "\nthe attainable rate" : "\nthe predicted time";
  for (std::size_t r = 0; r < marks.size() && cell != SweepCell::bound; ++r)
    if (seen[r]) out += ", " + marks[r] + ": bound by " + printable(s.resources[r]);
  return out + omitted_note(s);
}

}  // namespace

Result<SweepCell> find_sweep_cell(std::string_view name) {
  if (name == "time") return SweepCell::time;
  if (name == "rate") return SweepCell::rate;
  if (name == "bound") return SweepCell::bound;
  if (name == "fastest") return SweepCell::fastest;
  return fail("is \"" + std::string(name) + "\": expected time, rate, bound or fastest");
}

std::string sweep_table(const Calculation& calculation, const SweepAxis& x, const std::optional<SweepAxis>& y, const Sweep& s,
                        SweepCell cell) {
  std::string out = printable(calculation.title()) + "\n\n";
  if (const std::string finding = sweep_finding(calculation, x, s).text(); !finding.empty()) out += finding + "\n\n";
  std::vector<bool> crosses(s.series.size());
  for (const Crossing& c : s.crossings) {
    out += calculation.formats[c.format].name + ": bound by " + s.resources[c.to] + " from " + name_of(x) + " = " + number(c.at) + " up (" +
           s.resources[c.from] + " below)\n";
    crosses[c.format] = true;
  }
  if (!y)
    for (std::size_t f = 0; f < s.series.size(); ++f)
      if (!crosses[f]) out += calculation.formats[f].name + ": the bound does not change\n";
  if (s.refused > 0) out += with_commas(s.refused) + " of " + with_commas(s.flops.size()) + " points are not valid shapes\n";

  if (y && s.refused > 0) out += '\n';
  if (y) return out + (cell == SweepCell::fastest ? fastest_grid(calculation, x, *y, s) : format_grids(calculation, x, *y, s, cell));
  std::vector<std::vector<std::string>> rows(1, {name_of(x)});
  for (const RoleFormats& format : calculation.formats) rows[0].push_back(format.name);
  constexpr std::size_t shown = 20;
  const std::size_t count = s.flops.size(), step = std::max<std::size_t>(1, (count + shown - 1) / shown);
  for (std::size_t i = 0; i < count; i += step) {
    auto& row = rows.emplace_back();
    row.push_back(shortest(s.x[i]));
    for (const Sweep::Series& series : s.series)
      row.push_back(series.predicted_s[i] > 0 ? seconds(series.predicted_s[i]) + ' ' + resource_name(s.resources, series.bound[i]) : "-");
  }
  return out + "\n" + align(rows, std::string(rows[0].size(), 'r')) + "\nthe predicted time and what bounds it" +
         (step > 1 ? ", every " + ordinal(step) + " of " + with_commas(count) + " points\n" : "\n");
}

}  // namespace roofline
