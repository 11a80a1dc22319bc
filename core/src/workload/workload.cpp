#include <algorithm>
#include <array>
#include <cmath>
#include <roofline/workload/workload.hpp>

#include "base/interner.hpp"

namespace roofline {
namespace {

double at(const std::vector<double>& column, std::size_t i, double standard) { return column.empty() ? standard : column[i]; }

/// Adds row i of `from` to row g of `to`, creating the column when the first value that is not its default arrives.
void add_to(std::vector<double>& to, const std::vector<double>& from, std::size_t g, std::size_t i, bool first) {
  if (from.empty()) return;
  if (first)
    to.push_back(from[i]);
  else
    to[g] += from[i];
}

}  // namespace

std::string Workload::name_of(std::size_t i) const {
  if (i < name.size() && name[i].length > 0) return text.substr(name[i].offset, name[i].length);
  return "#" + std::to_string(i);
}

void Workload::fill_bytes() {
  std::vector<std::array<double, 4>> widths;  // bytes per element by role, per kind
  const auto width = [](FormatId f) { return f == no_format ? 1.0 : Formats::catalogue()[f].bytes(); };
  widths.reserve(classes.size());
  for (const OpClass& k : classes) widths.push_back({width(k.weight), width(k.activation), width(k.output), width(k.kv)});
  std::vector<double> column(size());
  for (std::size_t i = 0; i < size(); ++i) {
    const auto& w = widths[op_class[i]];
    // In the order of the analysis, so that the sum is the same to the last digit: what is read, then what is written.
    const double read = at(weight, i, 0) * w[0] + (at(activation, i, 0) * w[1] + at(kv_read, i, 0) * w[3]);
    const double derived = read + (at(output, i, 0) * w[2] + at(kv_write, i, 0) * w[3]);
    const double given = at(given_bytes, i, derived);
    column[i] = given == given ? given : derived;
  }
  bytes = std::move(column);
}

std::size_t Workload::resident_bytes() const {
  std::size_t total = op_class.capacity() * sizeof(op_class[0]) + name.capacity() * sizeof(name[0]) +
                      record.capacity() * sizeof(record[0]) + shape_hash.capacity() * sizeof(shape_hash[0]) +
                      step.capacity() * sizeof(step[0]) + classes.capacity() * sizeof(classes[0]) +
                      diagnostics.capacity() * sizeof(diagnostics[0]);
  for (const auto* column : {&matrix_flops, &vector_flops, &weight, &activation, &output, &kv_read, &kv_write, &given_bytes, &bytes,
                             &time_s, &self_time_s, &count, &stated_time_s})
    total += column->capacity() * sizeof(double);
  for (const Measure& measure : measures) total += measure.values.capacity() * sizeof(double);
  for (const Category& category : categories) total += category.value.capacity() * sizeof(std::uint32_t);
  for (const Channel& channel : channels) total += channel.bytes.capacity() * sizeof(double);
  return total;
}

Workload single_row(const Workload& w, std::size_t op) {
  Workload out;
  out.classes = {w.class_of(op)};
  out.op_class = {0};
  const auto copy = [op](std::vector<double>& to, const std::vector<double>& from) {
    if (!from.empty()) to = {from[op]};
  };
  copy(out.matrix_flops, w.matrix_flops);
  copy(out.vector_flops, w.vector_flops);
  copy(out.weight, w.weight);
  copy(out.activation, w.activation);
  copy(out.output, w.output);
  copy(out.kv_read, w.kv_read);
  copy(out.kv_write, w.kv_write);
  copy(out.given_bytes, w.given_bytes);
  copy(out.time_s, w.time_s);
  copy(out.self_time_s, w.self_time_s);
  copy(out.count, w.count);
  copy(out.stated_time_s, w.stated_time_s);
  for (const Channel& c : w.channels) out.channels.push_back({c.name, c.link, {c.bytes[op]}});
  return out;
}

Workload group_identical(const Workload& workload, std::vector<std::vector<std::uint32_t>>* members) {
  Workload out;
  out.classes = workload.classes;
  out.steps = workload.steps;
  out.text = workload.text;
  out.source = workload.source;
  out.source_format = workload.source_format;
  out.machine_json = workload.machine_json;
  out.own_records = workload.own_records;
  for (const Channel& channel : workload.channels) out.channels.push_back({channel.name, channel.link, {}});
  for (const Category& category : workload.categories) out.categories.push_back({category.name, category.values, {}});
  if (members) members->clear();

  // Per occurrence, so that a row that already stands for many joins its equals.
  const auto work_of = [&](std::size_t i) {
    const double n = workload.count_of(i);
    return std::array<double, 8>{workload.matrix_flops[i] / n,    at(workload.vector_flops, i, 0) / n, at(workload.weight, i, 0) / n,
                                 workload.activation[i] / n,      at(workload.output, i, 0) / n,       at(workload.kv_read, i, 0) / n,
                                 at(workload.kv_write, i, 0) / n, at(workload.given_bytes, i, 0) / n};
  };
  const auto timed = [&](std::size_t i) { return !workload.time_s.empty() && !std::isnan(workload.time_s[i]); };
  HashIndex index;
  std::vector<std::uint32_t> first_of;
  for (std::size_t i = 0; i < workload.size(); ++i) {
    const auto work = work_of(i);
    const std::uint32_t shape = workload.shape_hash.empty() ? 0 : workload.shape_hash[i];
    std::uint64_t hash = hash_text({reinterpret_cast<const char*>(work.data()), sizeof work}) ^
                         (static_cast<std::uint64_t>(workload.op_class[i]) << 32 | shape) * 0x9E3779B97F4A7C15ull;
    std::uint32_t g = workload.class_of(i).invalid ? HashIndex::none : index.find(hash, [&](std::uint32_t candidate) {
      const std::uint32_t j = first_of[candidate];
      return workload.op_class[j] == workload.op_class[i] && (workload.shape_hash.empty() || workload.shape_hash[j] == shape) &&
             timed(j) == timed(i) && std::memcmp(work_of(j).data(), work.data(), sizeof work) == 0 &&
             (workload.step.empty() || workload.step[j] == workload.step[i]) &&
             (workload.views.empty() || workload.views[j] == workload.views[i]) &&
             std::all_of(workload.categories.begin(), workload.categories.end(),
                         [&](const Category& c) { return c.value[i] == c.value[j]; });
    });
    const bool first = g == HashIndex::none;
    if (first) {
      g = static_cast<std::uint32_t>(first_of.size());
      first_of.push_back(static_cast<std::uint32_t>(i));
      index.insert(hash, g);
      out.op_class.push_back(workload.op_class[i]);
      if (!workload.name.empty()) out.name.push_back(workload.name[i]);
      if (!workload.record.empty()) out.record.push_back(workload.record[i]);
      if (!workload.shape_hash.empty()) out.shape_hash.push_back(shape);
      if (!workload.step.empty()) out.step.push_back(workload.step[i]);
      if (!workload.views.empty()) out.views.push_back(workload.views[i]);
      for (std::size_t c = 0; c < out.categories.size(); ++c) out.categories[c].value.push_back(workload.categories[c].value[i]);
      if (members) members->emplace_back();
    }
    if (members) (*members)[g].push_back(static_cast<std::uint32_t>(i));
    add_to(out.matrix_flops, workload.matrix_flops, g, i, first);
    add_to(out.vector_flops, workload.vector_flops, g, i, first);
    add_to(out.weight, workload.weight, g, i, first);
    add_to(out.activation, workload.activation, g, i, first);
    add_to(out.output, workload.output, g, i, first);
    add_to(out.kv_read, workload.kv_read, g, i, first);
    add_to(out.kv_write, workload.kv_write, g, i, first);
    add_to(out.given_bytes, workload.given_bytes, g, i, first);
    add_to(out.time_s, workload.time_s, g, i, first);
    add_to(out.self_time_s, workload.self_time_s, g, i, first);
    add_to(out.stated_time_s, workload.stated_time_s, g, i, first);
    for (std::size_t c = 0; c < out.channels.size(); ++c) add_to(out.channels[c].bytes, workload.channels[c].bytes, g, i, first);
    if (first)
      out.count.push_back(workload.count_of(i));
    else
      out.count[g] += workload.count_of(i);
  }
  out.fill_bytes();
  return out;
}

}  // namespace roofline
