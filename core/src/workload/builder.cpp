#include "workload/builder.hpp"

#include <limits>

namespace roofline {

WorkloadBuilder::WorkloadBuilder(std::string source, std::string source_format) {
  work_.source = std::move(source);
  work_.source_format = std::move(source_format);
}

void WorkloadBuilder::push(const WorkloadRow& row) {
  const std::size_t i = work_.size(), capacity = work_.op_class.capacity();
  for_each_column([&](const NumberColumn& c) __attribute__((always_inline)) {  // with each column's place known: see there
    if (c.always)
      (work_.*c.values).push_back(row.numbers.*c.value);
    else
      append(work_.*c.values, i, row.numbers.*c.value, c.standard, capacity);
  });
  work_.op_class.push_back(row.op_class);
  work_.name.push_back(row.name);
  work_.record.push_back(row.record);
  work_.shape_hash.push_back(row.shape_hash);
  if (work_.step.empty()) return;
  close_step();
  work_.step.push_back(no_step);
}

void WorkloadBuilder::close_step() {
  if (!work_.step.empty() && work_.step.back() == no_step) work_.step.back() = steps_.intern("");
}

void WorkloadBuilder::reserve_for(std::uint64_t read, std::uint64_t all) {
  constexpr std::size_t enough = 256;
  if (reserved_ || size() < enough || all <= read) return;
  reserved_ = true;
  const double times = static_cast<double>(all) / static_cast<double>(read) * 1.05;
  reserve(static_cast<std::size_t>(static_cast<double>(size()) * times) + 64);
  text_.reserve(static_cast<std::size_t>(static_cast<double>(text_.size()) * times));
}

void WorkloadBuilder::reserve(std::size_t rows) {
  work_.op_class.reserve(rows);
  work_.name.reserve(rows);
  work_.record.reserve(rows);
  work_.shape_hash.reserve(rows);
  for_each_column([&](const NumberColumn& c) {
    if (c.always || !(work_.*c.values).empty()) (work_.*c.values).reserve(rows);
  });
  if (!work_.step.empty()) work_.step.reserve(rows);
}

/// A class's fields are few small numbers: they make the key of an index of integers.
std::uint32_t WorkloadBuilder::op_class(std::uint32_t type, std::uint32_t category, const OpClass& c) {
  const auto flag = [](bool set, int bit) { return static_cast<std::uint64_t>(set) << bit; };
  const std::uint64_t low = static_cast<std::uint64_t>(type) << 32 | static_cast<std::uint64_t>(c.weight) << 24 |
                            static_cast<std::uint64_t>(c.activation) << 16 | static_cast<std::uint64_t>(c.output) << 8 | c.kv;
  const std::uint64_t high = static_cast<std::uint64_t>(category) << 32 | static_cast<std::uint64_t>(c.symbol) << 7 | flag(c.time_only, 6) |
                             flag(c.matrix_work, 5) | flag(c.vector_work, 4) | flag(c.measured_bytes, 3) | flag(c.roles_unknown, 2) |
                             flag(c.rates_only, 1) | flag(c.invalid, 0);
  if (low == last_low_ && high == last_high_) return last_class_;
  std::uint64_t hash = (low ^ (high * 0x9E3779B97F4A7C15ull)) * 0xD6E8FEB86659FD93ull;
  hash ^= hash >> 32;
  hash *= 0xD6E8FEB86659FD93ull;
  last_low_ = low;
  last_high_ = high;
  last_class_ = class_index_.find(hash, [&](std::uint32_t i) { return class_keys_[i] == std::pair(low, high); });
  if (last_class_ != HashIndex::none) return last_class_;
  last_class_ = static_cast<std::uint32_t>(work_.classes.size());
  class_index_.insert(hash, last_class_);
  class_keys_.emplace_back(low, high);
  work_.classes.push_back(c);
  work_.classes.back().type = words_[type];
  work_.classes.back().category = words_[category];
  return last_class_;
}

TextRange WorkloadBuilder::keep(std::string_view name) {
  if (text_.size() + name.size() > std::numeric_limits<std::uint32_t>::max()) return text_full_ = true, TextRange();
  text_ += name;
  return {static_cast<std::uint32_t>(text_.size() - name.size()), static_cast<std::uint32_t>(name.size())};
}

SourceRange WorkloadBuilder::keep_record(std::string_view record) {
  text_ += record;
  return {text_.size() - record.size(), record.size()};
}

void WorkloadBuilder::set_step(std::string_view name) {
  if (work_.step.empty()) {
    work_.step.reserve(work_.op_class.capacity());
    work_.step.resize(size(), size() > 1 ? steps_.intern("") : 0);
  }
  work_.step.back() = steps_.intern(name);
}

void WorkloadBuilder::set_views(std::uint8_t views) { work_.views.push_back(views); }

std::size_t WorkloadBuilder::add_category(std::string name) {
  work_.categories.push_back({std::move(name), {}, {}});
  category_words_.emplace_back();
  return work_.categories.size() - 1;
}

void WorkloadBuilder::set_word(std::size_t category, std::string_view word) {
  Category& c = work_.categories[category];
  bool is_new = false;
  c.value.push_back(category_words_[category].intern(word, &is_new));
  if (is_new) c.values.emplace_back(word);
}

std::size_t WorkloadBuilder::add_channel(std::string name, bool link) {
  work_.channels.push_back({std::move(name), link, {}});
  return work_.channels.size() - 1;
}

std::size_t WorkloadBuilder::add_measure(std::string name, std::string unit) {
  work_.measures.push_back({std::move(name), std::move(unit), {}});
  return work_.measures.size() - 1;
}

void WorkloadBuilder::add(Severity severity, Error error, std::optional<std::uint32_t> op) {
  work_.diagnostics.push_back({severity, std::move(error.message), op, error.line, error.column, std::move(error.path)});
}

Workload WorkloadBuilder::take() {
  close_step();
  for (std::uint32_t s = 0; s < steps_.size(); ++s) work_.steps.push_back(steps_[s]);
  if (text_full_) note(Severity::warning, "the names have more than 4 GiB: those beyond it are left out");
  work_.text = std::move(text_);
  work_.fill_bytes();
  return std::move(work_);
}

}  // namespace roofline
