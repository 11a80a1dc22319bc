#include "workload/builder.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

namespace roofline {

WorkloadBuilder::WorkloadBuilder(std::string source, SourceFormat source_format, const WorkloadLimits& limits) : limits_(limits) {
  work_.source = std::move(source);
  work_.source_format = source_format;
}

void WorkloadBuilder::push(const WorkloadRow& row) {
  const std::size_t i = work_.size();
  if (i == room_ && !make_room(static_cast<double>(2 * i))) return;
  const std::size_t capacity = work_.op_class.capacity();
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
  sizes_.append(work_, i, row.numbers.sizes);
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
  const double rows = static_cast<double>(size()) * (static_cast<double>(all) / static_cast<double>(read));
  if (rows > 2 * rows_that_fit())  // what follows may take less, but hardly by so much
    refuse("about " + std::to_string(static_cast<std::uint64_t>(rows)), rows_that_fit());
  else
    make_room(rows * 1.05 + 64);
}

/// What one row takes in the columns that are in use.
double WorkloadBuilder::row_bytes() const {
  std::size_t numbers = 1 + work_.channels.size() + work_.measures.size();  // 1: Workload::bytes, which take() fills
  for_each_column([&](const NumberColumn& c) { numbers += c.always || !(work_.*c.values).empty() ? 1 : 0; });
  const std::size_t words =  // 2: op_class and shape_hash
      2 + work_.categories.size() + (work_.step.empty() ? 0 : 1) + (work_.sizes.empty() ? 0 : 1);
  constexpr std::size_t indexed = 2 * sizeof(OpSizes) + 48;  // with what SizesIndex takes
  const std::size_t sizes = work_.distinct_sizes.size() * indexed / std::max<std::size_t>(size(), 1);
  return static_cast<double>(sizeof(TextRange) + sizeof(SourceRange) + numbers * sizeof(double) + words * sizeof(std::uint32_t) + sizes);
}

/// Of a row's text, on average.
double WorkloadBuilder::text_bytes() const {
  return static_cast<double>(text_.size()) / static_cast<double>(std::max<std::size_t>(size(), 1));
}

double WorkloadBuilder::rows_that_fit() const { return static_cast<double>(limits_.memory_bytes) / (row_bytes() + text_bytes()); }

void WorkloadBuilder::refuse(const std::string& found, double most) {
  const auto whole = std::to_string(static_cast<std::uint64_t>(most));
  refused_ = found + " operations: expected at most " + whole;
  if (most < static_cast<double>(limits_.operations))
    refused_ += ", which fill the " + with_unit(static_cast<double>(limits_.memory_bytes), "B") + " of memory that there is for them";
}

/// Makes the columns large enough for so many rows, or as many as there may be. False: for no more than there are.
bool WorkloadBuilder::make_room(double rows) {
  constexpr double least = 64;
  const auto now = static_cast<double>(size()), most = static_cast<double>(limits_.operations);
  if (!refused_.empty()) return false;
  if (now >= most) return refuse("too many", most), false;
  rows = std::max(rows, least);
  if (const double fit = rows_that_fit(); rows > std::max(fit, least)) {
    if (fit < now * 17 / 16) return refuse("too many", now), false;  // growing copies all that is there: not for a few
    rows = fit;
  }
  room_ = static_cast<std::size_t>(std::min(rows, most));
  if (now > 0) text_.reserve(static_cast<std::size_t>(text_bytes() * static_cast<double>(room_)));
  reserve(room_);
  return true;
}

/// False: the columns leave no room for it.
bool WorkloadBuilder::add_text(std::string_view more) {
  const auto wanted = static_cast<double>(text_.size() + more.size());
  if (wanted > static_cast<double>(text_.capacity())) {
    const double free = static_cast<double>(limits_.memory_bytes) - row_bytes() * static_cast<double>(size());
    if (wanted > free) return refuse("too many", static_cast<double>(size())), false;
    text_.reserve(static_cast<std::size_t>(std::min(1.5 * wanted, free)));
  }
  text_ += more;
  return true;
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
  if (!work_.sizes.empty()) work_.sizes.reserve(rows);
}

namespace {

/// The key of a class omits these members, because few sources set them.
bool same_unkeyed_members(const OpClass& a, const OpClass& b) {
  return a.prompt_tokens == b.prompt_tokens && a.layer_share == b.layer_share && a.mixed_weight_bytes == b.mixed_weight_bytes;
}

}  // namespace

/// A class's other fields are few small numbers: they make the key of an index of integers.
std::uint32_t WorkloadBuilder::op_class(std::uint32_t type, std::uint32_t category, const OpClass& c) {
  const auto flag = [](bool set, int bit) { return static_cast<std::uint64_t>(set) << bit; };
  const std::uint64_t low = static_cast<std::uint64_t>(type) << 32 | static_cast<std::uint64_t>(c.weight) << 24 |
                            static_cast<std::uint64_t>(c.activation) << 16 | static_cast<std::uint64_t>(c.output) << 8 | c.kv;
  const std::uint64_t high = static_cast<std::uint64_t>(category) << 32 | static_cast<std::uint64_t>(c.family) << 16 |
                             static_cast<std::uint64_t>(c.symbol) << 7 | flag(c.time_only, 6) | flag(c.matrix_work, 5) |
                             flag(c.vector_work, 4) | flag(c.measured_bytes, 3) | flag(c.roles_unknown, 2) | flag(c.rates_only, 1) |
                             flag(c.invalid, 0);
  if (low == last_low_ && high == last_high_ && same_unkeyed_members(c, work_.classes[last_class_])) return last_class_;
  std::uint64_t hash = (low ^ (high * 0x9E3779B97F4A7C15ull)) * 0xD6E8FEB86659FD93ull;
  hash ^= hash >> 32;
  hash *= 0xD6E8FEB86659FD93ull;
  last_low_ = low;
  last_high_ = high;
  last_class_ = class_index_.find(
      hash, [&](std::uint32_t i) { return class_keys_[i] == std::pair(low, high) && same_unkeyed_members(c, work_.classes[i]); });
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
  if (text_.size() + name.size() > limits_.text_bytes) return text_full_ = true, TextRange();
  if (!add_text(name)) return {};
  return {static_cast<std::uint32_t>(text_.size() - name.size()), static_cast<std::uint32_t>(name.size())};
}

SourceRange WorkloadBuilder::keep_record(std::string_view record) {
  if (!add_text(record)) return {};
  return {text_.size() - record.size(), record.size()};
}

void WorkloadBuilder::set_step(std::string_view name) {
  if (!refused_.empty()) return;
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
  c.value.resize(size() - 1, Category::none);  // rows before it that have no word
  c.value.push_back(category_words_[category].intern(word, &is_new));
  if (is_new) c.values.emplace_back(word);
}

void WorkloadBuilder::set_word(std::string_view category, std::string_view word) {
  const auto& all = work_.categories;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Category& c) { return c.name == category; });
  set_word(found == all.end() ? add_category(std::string(category)) : static_cast<std::size_t>(found - all.begin()), word);
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
  if (text_full_)
    note(Severity::warning, "the names have more than " + std::to_string(limits_.text_bytes) + " bytes: those beyond are left out");
  for (Category& category : work_.categories) category.value.resize(size(), Category::none);
  work_.text = std::move(text_);
  work_.distinct_sizes.shrink_to_fit();
  work_.fill_bytes();
  return std::move(work_);
}

}  // namespace roofline
