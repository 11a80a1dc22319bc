#include <algorithm>
#include <cmath>
#include <roofline/analysis/op_set.hpp>
#include <roofline/base/text.hpp>
#include <roofline/calculator/network_sweep.hpp>

#include "analysis/wording.hpp"
#include "base/csv_row.hpp"
#include "base/joined.hpp"
#include "base/json.hpp"
#include "base/schemas.hpp"
#include "read/formats.hpp"

namespace roofline {
namespace {

std::string bound_name(const NetworkSweep& sweep, const NetworkSweepPoint& point) {
  return resource_name(sweep.resources, point.total.bound_by);
}

Result<NetworkSweepPoint> point_at(const Network& network, const DimensionValues& lengths, const NetworkTarget& target,
                                   const Scenario& scenario, std::vector<std::string>& resources) {
  const Result<std::string> text = network_commands(network, lengths, target);
  if (!text) return Unexpected(text.error());
  const Result<Workload> workload = read_commands(*text);
  if (!workload) return Unexpected(workload.error());
  const Plan plan(*workload, scenario);
  if (resources.empty())
    for (const Resource& resource : plan.resources()) resources.push_back(resource.name);
  NetworkSweepPoint out;
  out.total = summarize(plan);
  const Json facts = Json::parse(workload->network_json, nullptr, false);
  out.matrix_macs = number_of(member(facts, "matrix_macs"));
  out.peak_activation_bytes = number_of(member(facts, "peak_activation_bytes"));
  for (const Json& kind : member(facts, "not_counted"))
    out.not_counted += static_cast<std::size_t>(known_or(number_of(member(kind, "nodes")), 0));
  return out;
}

struct PointOf {
  const NetworkSweep& sweep;
  const NetworkSweepPoint& p;
};
constexpr Member<PointOf> sweep_point_members[] = {
    {"length", schema::number, "of the dimension", [](JsonOut& out, const PointOf& o) { out.value(o.p.length); }},
    {"matrix_macs", schema::number, "known multiply-adds of products and convolutions, without bodies; null: none is known",
     [](JsonOut& out, const PointOf& o) { out.value(o.p.matrix_macs); }},
    {"flops", schema::number, "sum of what is known, FLOP", [](JsonOut& out, const PointOf& o) { out.value(o.p.total.flops); }},
    {"bytes", schema::number, "of the device memory, sum of what is known",
     [](JsonOut& out, const PointOf& o) { out.value(o.p.total.bytes); }},
    {"peak_activation_bytes", schema::number, "null: a shape is not known",
     [](JsonOut& out, const PointOf& o) { out.value(o.p.peak_activation_bytes); }},
    {"predicted_time_s", schema::number, "sum of the bounds, s",
     [](JsonOut& out, const PointOf& o) { out.value(o.p.total.predicted_time_s); }},
    {"typical_time_s", schema::number, "estimate, s", [](JsonOut& out, const PointOf& o) { out.value(o.p.total.typical_time_s); }},
    {"bound_by", schema::name, "the resource that bounds most predicted time",
     [](JsonOut& out, const PointOf& o) { write_name(out, bound_name(o.sweep, o.p)); }},
    {"not_counted", schema::count, "nodes whose work is not known", [](JsonOut& out, const PointOf& o) { out.count(o.p.not_counted); }}};

constexpr Member<NetworkSweep> members[] = {
    document_id<NetworkSweep>("roofline-network-sweep/1"),
    {"network", schema::text, "its file's name", field<&NetworkSweep::network>},
    {"dimension", schema::text, "what is swept; several with = are equal", field<&NetworkSweep::dimension>},
    {"finding", schema::text, "in words", [](JsonOut& out, const NetworkSweep& s) { out.value(network_sweep_finding(s)); }},
    {"points", objects_of<sweep_point_members>, "rising", [](JsonOut& out, const NetworkSweep& s) {
       std::vector<PointOf> all;
       for (const NetworkSweepPoint& p : s.points) all.push_back({s, p});
       write_objects<sweep_point_members>(out, all);
     }}};

}  // namespace

Result<NetworkSweep> sweep_network(const Network& network, std::string_view name, const DimensionValues& given, const NetworkTarget& target,
                                   const SweepAxis& axis, const Scenario& scenario) {
  NetworkSweep out;
  out.network = name;
  out.dimension = joined(axis.keys, "=");
  DimensionValues lengths;
  for (const auto& one : given)
    if (std::find(axis.keys.begin(), axis.keys.end(), one.first) == axis.keys.end()) lengths.push_back(one);
  const std::size_t others = lengths.size();
  for (const std::string& key : axis.keys) lengths.emplace_back(key, "");
  for (const double length : values_of(axis)) {
    for (std::size_t i = others; i < lengths.size(); ++i) lengths[i].second = plain(length);
    Result<NetworkSweepPoint> point = point_at(network, lengths, target, scenario, out.resources);
    if (!point) return Unexpected(point.error());
    point->length = length;
    out.points.push_back(*point);
  }
  return out;
}

std::string network_sweep_finding(const NetworkSweep& sweep) {
  if (sweep.points.empty() || sweep.points.front().total.bound_by == no_resource) return {};
  const NetworkSweepPoint &first = sweep.points.front(), &last = sweep.points.back();
  std::vector<const NetworkSweepPoint*> crossings;  // the points at which the bound changes
  for (std::size_t i = 1; i < sweep.points.size(); ++i)
    if (sweep.points[i].total.bound_by != sweep.points[i - 1].total.bound_by && sweep.points[i].total.bound_by != no_resource)
      crossings.push_back(&sweep.points[i]);
  std::string out = printable(bound_name(sweep, first)) + " bounds";
  if (crossings.empty())
    out += " all along";
  else
    out += " below " + printable(sweep.dimension) + " = " + number(crossings[0]->length);
  for (const NetworkSweepPoint* point : crossings)
    out += ", " + printable(bound_name(sweep, *point)) + " from " + number(point->length) + (point == crossings.back() ? " up" : "");
  out += ".";
  const double ratio = (last.total.predicted_time_s / last.length) / (first.total.predicted_time_s / first.length);
  if (last.length > first.length && known(ratio))
    out += " From " + printable(sweep.dimension) + " = " + number(first.length) + " to " + number(last.length) +
           " the predicted time per unit of " + printable(sweep.dimension) + ' ' +
           (std::abs(ratio - 1) < 0.005 ? "stays the same"
            : ratio < 1                 ? "falls to " + percent(ratio)
                                        : "grows to " + times(ratio)) +
           '.';
  return out;
}

std::string network_sweep_json(const NetworkSweep& sweep) {
  return json_text([&](JsonOut& out) { write_object<members>(out, sweep); });
}

std::string network_sweep_csv(const NetworkSweep& sweep) {
  std::string out =
      csv_cell(sweep.dimension) + ",matrix_macs,flops,bytes,peak_activation_bytes,predicted_time_s,typical_time_s,bound_by,not_counted\r\n";
  for (const NetworkSweepPoint& p : sweep.points)
    out += shortest(p.length) + ',' + shortest(p.matrix_macs) + ',' + shortest(p.total.flops) + ',' + shortest(p.total.bytes) + ',' +
           shortest(p.peak_activation_bytes) + ',' + shortest(p.total.predicted_time_s) + ',' + shortest(p.total.typical_time_s) + ',' +
           csv_cell(bound_name(sweep, p)) + ',' + std::to_string(p.not_counted) + "\r\n";
  return out;
}

std::string network_sweep_table(const NetworkSweep& sweep) {
  std::vector<std::vector<std::string>> rows = {
      {printable(sweep.dimension), "MAC", "FLOP", "bytes", "peak activations", "bound", "for each", "bound by", "estimate"}};
  for (const NetworkSweepPoint& p : sweep.points)
    rows.push_back({plain(p.length), or_dash(p.matrix_macs, ""), with_unit(p.total.flops, ""), with_unit(p.total.bytes, "B"),
                    or_dash(p.peak_activation_bytes, "B"), seconds(p.total.predicted_time_s), seconds(p.total.predicted_time_s / p.length),
                    printable(bound_name(sweep, p)), or_dash(p.total.typical_time_s, seconds)});
  const std::string finding = network_sweep_finding(sweep);
  return finding + (finding.empty() ? "" : "\n\n") + align(rows, "rrrrrrrlr");
}

ObjectSchema network_sweep_schema() { return ObjectSchema().with(members); }

}  // namespace roofline
