#include <algorithm>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>
#include <roofline/workload/join.hpp>
#include <unordered_map>

#include "workload/columns.hpp"
#include "workload/layer_nodes.hpp"

namespace roofline {
namespace {

constexpr std::uint32_t none = 0xffffffff;

bool times_alone(const Workload& w) {
  return w.timed() && std::all_of(w.classes.begin(), w.classes.end(), [](const OpClass& c) { return c.time_only; });
}

bool work_alone(const Workload& w) {
  return !w.timed() &&
         std::any_of(w.classes.begin(), w.classes.end(), [](const OpClass& c) { return !c.time_only && !c.invalid && !c.rates_only; });
}

/// A network that nobody has run, and a run of it, whose layers may state their own work: the network's counts, which has every size.
bool is_run_of(const Workload& network, const Workload& run) {
  return network.source_format == SourceFormat::network && network.size() > 0 && !network.timed() &&
         run.source_format != SourceFormat::network && run.timed();
}

/// Which of the two states the times.
bool first_has_times(const Workload& a, const Workload& b) { return is_run_of(b, a) || (!is_run_of(a, b) && times_alone(a)); }

/// The names in a list with merged_separator between them.
std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> out;
  for (std::size_t end = 0; end != std::string_view::npos && !list.empty();) {
    end = list.find(merged_separator);
    out.emplace_back(list.substr(0, end));
    if (end != std::string_view::npos) list.remove_prefix(end + merged_separator.size());
  }
  return out;
}

/// Rows by name, each to be taken once.
class Names {
 public:
  explicit Names(const Workload& w) : work_(w) {
    for (std::uint32_t i = 0; i < w.size(); ++i) rows_[w.name_of(i)].rows.push_back(i);
    for (const Category& category : w.categories)
      if (category.name == merged_category)
        for (std::uint32_t i = 0; i < category.value.size(); ++i)
          for (std::string& node : names_in(category.word(i))) merged_into_.emplace(std::move(node), i);
  }
  std::uint32_t take(const std::string& name) {
    const auto found = rows_.find(name);
    return found == rows_.end() || found->second.taken == found->second.rows.size() ? none : found->second.rows[found->second.taken++];
  }
  /// The operations of an engine's layer, without repeats, the one with the most multiply-adds first.
  std::vector<std::uint32_t> take_layer(const std::string& name, const std::string& originals) {
    std::vector<std::string> nodes{name};
    for (const std::vector<std::string>& more : {nodes_in(name), names_in(originals)})
      for (const std::string& node : more)
        if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
    std::vector<std::uint32_t> rows;
    for (const std::string& node : nodes) {
      std::uint32_t row = take_node(node);
      if (row == none) row = take_node(std::string(original_node(node)));
      if (row != none && std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    }
    const auto flops = [this](std::uint32_t row) { return known_or(at(work_.matrix_flops, row, 0), 0); };
    const auto most = std::max_element(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) { return flops(a) < flops(b); });
    if (most != rows.end()) std::iter_swap(rows.begin(), most);
    return rows;
  }
  /// The first and the last row of a region; both `none` if neither end is there, both the same if one is.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> ends_of(const NodeRegion& region) const {
    std::uint32_t first = none, last = none;
    for (const std::vector<std::string>& end : {region.first, region.last})
      for (const std::string& node : end)
        if (const std::uint32_t row = row_of(node); row != none) {
          first = std::min(first, row);
          last = last == none ? row : std::max(last, row);
        }
    return {first, last};
  }

 private:
  [[nodiscard]] std::uint32_t merged_into(const std::string& node) const {
    const auto found = merged_into_.find(node);
    return found == merged_into_.end() ? none : found->second;
  }
  std::uint32_t take_node(const std::string& node) {
    const std::uint32_t own = take(node);
    return own == none ? merged_into(node) : own;
  }
  [[nodiscard]] std::uint32_t row_of(const std::string& node) const {
    const auto own = rows_.find(node);
    return own == rows_.end() ? merged_into(node) : own->second.rows[0];
  }

  struct Rows {
    std::vector<std::uint32_t> rows;
    std::size_t taken = 0;
  };
  const Workload& work_;
  std::unordered_map<std::string, Rows> rows_;
  std::unordered_map<std::string, std::uint32_t> merged_into_;
};

/// The nodes that row i was merged from, as its source states them, with merged_separator between them. Empty: not stated.
std::string originals_of(const Workload& w, std::size_t i) {
  for (const Category& category : w.categories)
    if (category.name == merged_category && i < category.value.size()) return category.word(i);
  return {};
}

/// The row's time without the operations that it calls, s; its whole time where no self times are known.
double self_time(const Workload& w, std::size_t i) { return w.self_time_s.empty() ? w.time_s[i] : w.self_time_s[i]; }

/// Gives row i of `out` the times and the count of row `from` of `times`, and scales its work to that count.
void set_time(Workload& out, std::size_t i, const Workload& times, std::size_t from) {
  const double count = times.count_of(from);
  const double factor = count / out.count_of(i);
  if (factor != 1)
    for_each_column([&](const NumberColumn& c) {
      if (c.of == ColumnOf::work && !(out.*c.values).empty()) (out.*c.values)[i] *= factor;
    });
  if (factor != 1)
    for (Channel& channel : out.channels) channel.bytes[i] *= factor;
  if (factor != 1 && out.count.empty()) out.count.assign(out.size(), 1);
  if (!out.count.empty()) out.count[i] = count;
  out.time_s[i] = times.time_s[from];
  if (!out.self_time_s.empty()) out.self_time_s[i] = self_time(times, from);
}

/// Adds the times of row `from` of `times` to those of row i of `out`.
void add_time(Workload& out, std::size_t i, const Workload& times, std::size_t from) {
  out.time_s[i] += times.time_s[from];
  if (!out.self_time_s.empty()) out.self_time_s[i] += known_or(self_time(times, from), 0);
}

/// Appends row i of `times`, without its sizes.
void append_row(Workload& out, const Workload& times, std::size_t i) {
  const std::size_t row = out.size();
  for_each_column([&](const NumberColumn& c) {
    const double value = at(times.*c.values, i, c.standard);
    if (c.always)
      (out.*c.values).push_back(value);
    else
      append(out.*c.values, row, value, c.standard, 0);
  });
  const OpClass& op_class = times.class_of(i);
  const auto found = std::find(out.classes.begin(), out.classes.end(), op_class);
  out.op_class.push_back(static_cast<std::uint32_t>(found - out.classes.begin()));
  if (found == out.classes.end()) out.classes.push_back(op_class);
  const std::string name = times.name_of(i);
  out.name.push_back({static_cast<std::uint32_t>(out.text.size()), static_cast<std::uint32_t>(name.size())});
  out.text += name;
  out.record.emplace_back();
  out.shape_hash.push_back(0);
  if (!out.sizes.empty()) out.sizes.push_back(0);
  for (Channel& channel : out.channels) channel.bytes.push_back(unknown);
  for (Category& category : out.categories) category.value.push_back(Category::none);
  for (Measure& measure : out.measures) measure.values.push_back(unknown);
  if (!out.views.empty()) out.views.push_back(row_view::with_infeed | row_view::without_infeed);
  if (out.step.empty()) return;
  const auto step = std::find(out.steps.begin(), out.steps.end(), "");
  out.step.push_back(static_cast<std::uint32_t>(step - out.steps.begin()));
  if (step == out.steps.end()) out.steps.emplace_back();
}

/// "2 of a.json have no time in b.json: conv1, conv2"
Diagnostic left_over(const std::vector<std::string>& names, const std::string& of, const std::string& lacks) {
  constexpr std::size_t most = 5;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) list += (i > 0 ? ", " : "") + printable(names[i]);
  if (names.size() > most) list += ", ...";
  return {Severity::warning,
          std::to_string(names.size()) + " of " + of + (names.size() == 1 ? " has " : " have ") + lacks + ": " + list,
          {},
          0,
          0,
          {}};
}

/// Why neither of two files has times, as their warnings say.
std::string no_times_message(const Workload& a, const Workload& b) {
  std::string out = "neither file states times of operations";
  constexpr std::size_t most = 3;  // of each file
  for (const Workload* w : {&a, &b}) {
    std::size_t warnings = 0;
    for (const Diagnostic& d : w->diagnostics)
      if (d.severity == Severity::warning && !d.op && ++warnings <= most)
        out += "; " + (w->source.empty() ? "" : printable(w->source) + ": ") + d.message;
    if (warnings > most) out += "; and " + with_commas(warnings - most) + " more";
  }
  return out;
}

/// Which rows of the two files belong together.
struct Matches {
  std::vector<std::uint32_t> extra;                // rows of the times that are appended
  std::vector<std::string> without_work, regions;  // names of extra rows
  std::vector<bool> timed, within;                 // of the work's operations; within: part of another operation's layer
};

/// Gives the operations of `out`, which are those of `work`, their times.
Matches match_times(Workload& out, const Workload& work, const Workload& times, bool of_network) {
  out.time_s.assign(out.size(), unknown);
  if (!times.self_time_s.empty()) out.self_time_s.assign(out.size(), unknown);
  Matches m;
  m.timed.resize(work.size());
  m.within.resize(work.size());
  Names names(work);
  for (std::uint32_t i = 0; i < times.size(); ++i) {
    std::vector<std::uint32_t> rows;
    const NodeRegion region = of_network ? region_in(times.name_of(i)) : NodeRegion();
    if (of_network && region.first.empty())
      rows = names.take_layer(times.name_of(i), originals_of(times, i));
    else if (const std::uint32_t row = names.take(times.name_of(i)); row != none)
      rows.push_back(row);
    if (rows.empty()) {
      const auto [first_row, last_row] = of_network ? names.ends_of(region) : std::pair(none, none);
      if (first_row != none) std::fill(m.within.begin() + first_row, m.within.begin() + last_row + 1, true);
      (first_row == none ? m.without_work : m.regions).push_back(times.name_of(i));
      m.extra.push_back(i);
      continue;
    }
    if (!known(out.time_s[rows[0]]))
      set_time(out, rows[0], times, i);
    else if (known(times.time_s[i]))  // else it ran within the layers whose times are known
      add_time(out, rows[0], times, i);
    m.timed[rows[0]] = true;  // also without a known time: readers drop times of 0
    for (std::size_t k = 1; k < rows.size(); ++k) m.within[rows[k]] = true;
  }
  return m;
}

/// Fails if too few names match, or if the joined workload would exceed the limits.
Result<void> check_matches(const Matches& m, const Workload& work, const Workload& times, const WorkloadLimits& limits) {
  const std::size_t joined = times.size() - m.extra.size() + m.regions.size(), shorter = std::min(times.size(), work.size());
  if (2 * joined < shorter)
    return fail(std::to_string(joined) + " of " + std::to_string(shorter) + " names are in both files, \"" + printable(m.without_work[0]) +
                "\" is not: expected the times and the work of the same layers");
  if (work.size() + m.extra.size() > limits.operations)
    return fail(std::to_string(work.size() + m.extra.size()) + " operations in both files: expected at most " +
                std::to_string(limits.operations));
  std::uint64_t text_bytes = work.text.size();
  for (const std::uint32_t i : m.extra) text_bytes += times.name_of(i).size();
  if (text_bytes > limits.text_bytes)
    return fail("names of " + std::to_string(text_bytes) + " bytes in both files: expected at most " + std::to_string(limits.text_bytes));
  return {};
}

/// Adds the run's source, properties and machine.
void add_facts(Workload& out, const Workload& times) {
  out.source += " + " + times.source;
  out.properties.insert(out.properties.end(), times.properties.begin(), times.properties.end());
  out.simulated_by = times.simulated_by;
  out.device_time = times.device_time;
  if (out.machine_json.empty()) out.machine_json = times.machine_json;
  for (const std::string& word : times.machine_words)
    if (std::find(out.machine_words.begin(), out.machine_words.end(), word) == out.machine_words.end()) out.machine_words.push_back(word);
}

std::string called(const Workload& w, const char* otherwise) { return w.source.empty() ? otherwise : w.source; }

/// Reports which rows were joined and which were not, then the files' own diagnostics.
void add_diagnostics(Workload& out, const Workload& work, const Workload& times, const Matches& m, bool of_network) {
  const std::string time_source = called(times, "the times"), work_source = called(work, "the work");
  std::vector<std::string> without_time, in_others;
  for (std::size_t i = 0; i < work.size(); ++i)
    if (!m.timed[i]) (m.within[i] ? in_others : without_time).push_back(work.name_of(i));
  out.diagnostics.clear();
  out.diagnostics.push_back({Severity::info,
                             std::to_string(std::count(m.timed.begin(), m.timed.end(), true)) + " of " + std::to_string(work.size()) +
                                 " operations of " + work_source + " have their times from " + time_source + ", by name",
                             {},
                             0,
                             0,
                             {}});
  const auto add = [&](const std::vector<std::string>& names, const std::string& of, const std::string& lacks) {
    if (!names.empty()) out.diagnostics.push_back(left_over(names, of, lacks));
  };
  add(without_time, work_source, "no time in " + time_source);
  add(in_others, work_source, "run within the layer of another in " + time_source);
  add(m.regions, time_source, "one time for all operations from its first node to its last");
  add(m.without_work, time_source, (of_network ? "no node in " : "no work in ") + work_source);
  out.diagnostics.insert(out.diagnostics.end(), work.diagnostics.begin(), work.diagnostics.end());
  for (Diagnostic d : times.diagnostics) {
    if (d.severity == Severity::info) continue;  // that it states no work is no longer so
    d.op.reset();
    out.diagnostics.push_back(std::move(d));
  }
  out.hidden_diagnostics += times.hidden_diagnostics;
}

}  // namespace

std::string_view lacking(const Workload& w) { return times_alone(w) ? "work" : work_alone(w) ? "times" : ""; }

bool complete_each_other(const Workload& a, const Workload& b) {
  return (times_alone(a) && work_alone(b)) || (work_alone(a) && times_alone(b)) || is_run_of(a, b) || is_run_of(b, a);
}

Result<Workload> join(const Workload& a, const Workload& b, const WorkloadLimits& limits) {
  if (!complete_each_other(a, b)) {
    if (!a.timed() && !b.timed()) return fail(no_times_message(a, b));
    return fail("two files are joined where one states times and no work, and the other work and no times; two runs are compared");
  }
  const bool first = first_has_times(a, b);
  const Workload &times = first ? a : b, &work = first ? b : a;
  Workload out = work;
  if (!out.own_records) out.record.assign(out.size(), SourceRange());  // of two files, neither is the source
  out.own_records = true;
  const bool of_network = is_run_of(work, times);
  const Matches matches = match_times(out, work, times, of_network);
  if (auto ok = check_matches(matches, work, times, limits); !ok) return Unexpected(ok.error());
  for (const std::uint32_t i : matches.extra) append_row(out, times, i);
  out.fill_bytes();
  if (of_network) out.engine = engine_of(times);
  add_facts(out, times);
  add_diagnostics(out, work, times, matches, of_network);
  return out;
}

}  // namespace roofline
