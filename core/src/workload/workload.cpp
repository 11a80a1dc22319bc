#include <algorithm>
#include <roofline/workload/workload.hpp>

#include "base/interner.hpp"
#include "workload/columns.hpp"

namespace roofline {

bool Workload::timed() const {
  return std::any_of(time_s.begin(), time_s.end(), [](double t) { return t > 0; });
}

std::string Workload::name_of(std::size_t i) const {
  if (i < name.size() && name[i].length > 0) return std::string(text.substr(name[i].offset, name[i].length));
  return "#" + std::to_string(i);
}

std::string_view Workload::record_of(std::size_t i) const {
  return own_records && i < record.size() ? text.substr(record[i].offset, record[i].length) : std::string_view();
}

void Workload::fill_bytes() {
  std::vector<std::array<double, 4>> widths;  // bytes per element by role, per class
  const auto width = [](FormatId f) { return f == no_format ? 1.0 : Formats::catalogue()[f].bytes(); };
  widths.reserve(classes.size());
  for (const OpClass& c : classes) {
    const double weight_bytes = c.mixed_weight_bytes > 0 ? c.mixed_weight_bytes : width(c.weight);
    widths.push_back({weight_bytes, width(c.activation), width(c.output), width(c.kv)});
  }
  std::vector<double> column(size());
  for (std::size_t i = 0; i < size(); ++i) {
    const auto& w = widths[op_class[i]];
    // In the order of the analysis, so that the sum is the same to the last digit: what is read, then what is written.
    const double read = at(weight, i, 0) * w[0] + (at(activation, i, 0) * w[1] + at(kv_read, i, 0) * w[3]);
    const double derived = read + (at(output, i, 0) * w[2] + at(kv_write, i, 0) * w[3]);
    const double given = at(given_bytes, i, derived);
    column[i] = known_or(given, derived);
  }
  bytes = std::move(column);
}

std::size_t Workload::resident_bytes() const {
  std::size_t total = op_class.capacity() * sizeof(op_class[0]) + name.capacity() * sizeof(name[0]) +
                      record.capacity() * sizeof(record[0]) + shape_hash.capacity() * sizeof(shape_hash[0]) +
                      step.capacity() * sizeof(step[0]) + sizes.capacity() * sizeof(sizes[0]) +
                      distinct_sizes.capacity() * sizeof(OpSizes) + classes.capacity() * sizeof(classes[0]) +
                      diagnostics.capacity() * sizeof(diagnostics[0]);
  total += bytes.capacity() * sizeof(double) + views.capacity();
  for_each_column([&](const NumberColumn& c) { total += (this->*c.values).capacity() * sizeof(double); });
  for (const Measure& measure : measures) total += measure.values.capacity() * sizeof(double);
  for (const Category& category : categories) total += category.value.capacity() * sizeof(std::uint32_t);
  for (const Channel& channel : channels) total += channel.bytes.capacity() * sizeof(double);
  return total + launches.begin_s.capacity() * (sizeof(double) + sizeof(float) + sizeof(std::uint32_t));
}

Workload single_row(const Workload& w, std::size_t op) {
  Workload out;
  out.classes = {w.class_of(op)};
  out.op_class = {0};
  for_each_column([&](const NumberColumn& c) {
    if (!(w.*c.values).empty()) out.*c.values = {(w.*c.values)[op]};
  });
  if (const OpSizes sizes = w.sizes_of(op); sizes.known()) out.sizes = {1}, out.distinct_sizes = {OpSizes(), sizes};
  for (const Channel& c : w.channels) out.channels.push_back({c.name, c.link, {c.bytes[op]}});
  return out;
}

namespace {

/// Work per occurrence, so that a row that counts several operations joins rows of the same work.
struct WorkOfOne {
  std::array<double, number_columns> values{};
  std::size_t size = 0;
  WorkOfOne(const Workload& w, std::size_t i) {
    const double n = w.count_of(i);
    for_each_column([&](const NumberColumn& c) {
      if (c.of == ColumnOf::work) values[size++] = at(w.*c.values, i, c.standard) / n;
    });
  }
  [[nodiscard]] std::string_view bytes() const { return {reinterpret_cast<const char*>(values.data()), size * sizeof(double)}; }
};

}  // namespace

Workload group_identical(const Workload& from, std::vector<std::vector<std::uint32_t>>* members) {
  Workload out;
  out.classes = from.classes;
  out.steps = from.steps;
  out.distinct_sizes = from.distinct_sizes;
  out.text = from.text;
  out.source = from.source;
  out.source_format = from.source_format;
  out.machine_json = from.machine_json;
  out.network_json = from.network_json;
  out.unfused = from.unfused;
  out.host_bytes = from.host_bytes;
  out.machine_words = from.machine_words;
  out.simulated_by = from.simulated_by;
  out.engine = from.engine;
  out.own_records = from.own_records;
  out.device_time = from.device_time;
  for (const Channel& channel : from.channels) out.channels.push_back({channel.name, channel.link, {}});
  for (const Category& category : from.categories) out.categories.push_back({category.name, category.values, {}});
  if (members) members->clear();

  const auto timed = [&](std::size_t i) { return known(at(from.time_s, i, unknown)); };
  const auto shape_of = [&](std::size_t i) { return from.shape_hash.empty() ? 0 : from.shape_hash[i]; };
  const auto alike = [&](std::size_t i, std::size_t j) {
    return from.op_class[j] == from.op_class[i] && shape_of(i) == shape_of(j) && timed(j) == timed(i) &&
           (from.step.empty() || from.step[j] == from.step[i]) && (from.sizes.empty() || from.sizes[j] == from.sizes[i]) &&
           (from.views.empty() || from.views[j] == from.views[i]) &&
           std::all_of(from.categories.begin(), from.categories.end(), [&](const Category& c) { return c.value[i] == c.value[j]; });
  };
  HashIndex index;
  std::vector<std::uint32_t> first_of;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const WorkOfOne work(from, i);
    const std::uint64_t hash =
        hash_text(work.bytes()) ^ (static_cast<std::uint64_t>(from.op_class[i]) << 32 | shape_of(i)) * 0x9E3779B97F4A7C15ull;
    std::uint32_t g = from.class_of(i).invalid ? HashIndex::none : index.find(hash, [&](std::uint32_t candidate) {
      const std::uint32_t j = first_of[candidate];
      return alike(i, j) && WorkOfOne(from, j).bytes() == work.bytes();
    });
    const bool first = g == HashIndex::none;
    if (first) {
      g = static_cast<std::uint32_t>(first_of.size());
      first_of.push_back(static_cast<std::uint32_t>(i));
      index.insert(hash, g);
      const auto copy = [i](auto& to, const auto& column) {
        if (!column.empty()) to.push_back(column[i]);
      };
      copy(out.op_class, from.op_class);
      copy(out.name, from.name);
      copy(out.record, from.record);
      copy(out.shape_hash, from.shape_hash);
      copy(out.step, from.step);
      copy(out.sizes, from.sizes);
      copy(out.views, from.views);
      for (std::size_t c = 0; c < out.categories.size(); ++c) copy(out.categories[c].value, from.categories[c].value);
      if (members) members->emplace_back();
    }
    if (members) (*members)[g].push_back(static_cast<std::uint32_t>(i));
    const auto add = [&](std::vector<double>& to, double value) {
      if (first)
        to.push_back(value);
      else
        to[g] += value;
    };
    for_each_column([&](const NumberColumn& c) {
      if (c.of == ColumnOf::count || !(from.*c.values).empty()) add(out.*c.values, at(from.*c.values, i, c.standard));
    });
    for (std::size_t c = 0; c < out.channels.size(); ++c) add(out.channels[c].bytes, from.channels[c].bytes[i]);
  }
  out.fill_bytes();
  return out;
}

}  // namespace roofline
