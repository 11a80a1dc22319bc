// "heatmap": two columns of words against each other, each cell a figure of its operations together.
//   {"rows": "dtype", "columns": "model", "metric": "achieved"}
//     -> {"rows": ["f32", ...], "columns": [...], "choices": [...], "low", "high"}, value and ops per cell row by row, NaN: no operation
// A column is one of the workload's categories, or "type", "category", "format", "status" or "bound by".
#include <algorithm>

#include "base/joined.hpp"
#include "base/json_out.hpp"
#include "session/questions/metrics.hpp"
#include "session/questions/questions.hpp"

namespace roofline {
namespace {

/// A column to group by: the words and, per operation of a block, the word's number.
struct Grouping {
  std::string name;
  std::vector<std::string> words;
  const Category* category = nullptr;
  std::vector<std::uint32_t> by_class;
  enum class Of : std::uint8_t { category, op_class, status, bound } of = Of::op_class;

  [[nodiscard]] std::uint32_t at(const Workload& w, const OpBlock& block, std::size_t j) const {
    switch (of) {
      case Of::category:
        return category->value[block.index[j]];
      case Of::op_class:
        return by_class[w.op_class[block.index[j]]];
      case Of::status:
        return static_cast<std::uint32_t>(block.status[j]);
      case Of::bound:
        break;
    }
    return static_cast<std::uint32_t>(block.bound[j]);
  }
};

constexpr std::size_t most_words = 1000;  // of a side of the map; what lies beyond is left out

std::vector<std::string> choices(const Workload& w) {
  std::vector<std::string> out;
  for (const Category& c : w.categories) out.push_back(c.name);
  for (const char* name : {"type", "category", "format", "status", "bound by"})
    if (std::find(out.begin(), out.end(), name) == out.end()) out.emplace_back(name);
  return out;
}

/// `side`: the request's member that names it.
Result<Grouping> grouping(const Plan& plan, const std::string& name, const char* side) {
  const Workload& w = plan.workload();
  Grouping g;
  g.name = name;
  for (const Category& c : w.categories)
    if (c.name == name) {
      g.category = &c;
      g.words = c.values;
      g.of = Grouping::Of::category;
      return g;
    }
  const auto by_class = [&](const auto& word_of) {
    for (const OpClass& op_class : w.classes) {
      const std::string word = word_of(op_class);
      const auto found = std::find(g.words.begin(), g.words.end(), word);
      g.by_class.push_back(static_cast<std::uint32_t>(found - g.words.begin()));
      if (found == g.words.end()) g.words.push_back(word);
    }
    return g;
  };
  if (name == "type") return by_class([](const OpClass& k) { return k.type; });
  if (name == "category") return by_class([](const OpClass& k) { return k.category; });
  if (name == "format")
    return by_class([](const OpClass& k) {
      const FormatId f = k.activation != no_format ? k.activation : k.weight;
      return f == no_format ? std::string("unknown") : Formats::catalogue()[f].name;
    });
  if (name == "status") {
    g.of = Grouping::Of::status;
    g.words.assign(status_words.begin(), status_words.end());
    return g;
  }
  if (name == "bound by") {
    g.of = Grouping::Of::bound;
    for (const Resource& r : plan.resources()) g.words.push_back(r.name);
    return g;
  }
  return fail("no column is called \"" + name + "\": " + expected_one_of(choices(w)), side);
}

}  // namespace

Result<Answer> ask_heatmap(const QuestionContext& of, const Json& request) {
  const Plan& plan = of.plan();
  const Workload& w = plan.workload();
  const std::vector<std::string> names = choices(w);
  const auto chosen = [&](const char* key, std::size_t standard) {
    const std::string name = text_of(member(request, key));
    return name.empty() ? names[std::min(standard, names.size() - 1)] : name;
  };
  const auto rows = grouping(plan, chosen("rows", 0), "rows");
  if (!rows) return Unexpected(rows.error());
  const auto columns = grouping(plan, chosen("columns", 1), "columns");
  if (!columns) return Unexpected(columns.error());
  const std::string metric_name = text_of(member(request, "metric"));
  const auto metric = named<Metric>(metric_name.empty() ? "achieved" : metric_name);
  if (!metric) return fail("no metric is called \"" + metric_name + "\": expected " + any_of_names<Metric>(), "metric");

  const std::size_t width = std::min(columns->words.size(), most_words), height = std::min(rows->words.size(), most_words);
  std::vector<Totals> cells(width * height);
  std::vector<std::uint8_t> row_used(height), column_used(width);
  for_each_block(of.ops, [&](const OpBlock& block) {
    for (std::size_t j = 0; j < block.count; ++j) {
      const std::uint32_t r = rows->at(w, block, j), c = columns->at(w, block, j);
      if (r >= height || c >= width) continue;
      cells[r * width + c].add(block, j);
      row_used[r] = column_used[c] = 1;
    }
  });

  Answer answer;
  std::vector<float> values, counts;
  double low = unknown, high = unknown;
  for (std::size_t r = 0; r < height; ++r)
    for (std::size_t c = 0; c < width; ++c) {
      if (row_used[r] == 0 || column_used[c] == 0) continue;
      const Totals& cell = cells[r * width + c];
      const double value = cell.value(*metric);
      if (value == value && !(value >= low)) low = value;
      if (value == value && !(value <= high)) high = value;
      values.push_back(static_cast<float>(value));
      counts.push_back(static_cast<float>(cell.ops));
    }
  answer.json = json_text([&](JsonOut& out) {
    out.begin_object();
    const auto words = [&](const char* key, const Grouping& g, const std::vector<std::uint8_t>& used) {
      out.object(key, [&] {
        out.member("name", g.name);
        out.array("words", [&] {
          for (std::size_t i = 0; i < used.size(); ++i)
            if (used[i] != 0) out.value(g.words[i]);
        });
      });
    };
    words("rows", *rows, row_used);
    words("columns", *columns, column_used);
    out.member("metric", to_string(*metric));
    out.member("low", low);
    out.member("high", high);
    out.list("choices", names);
    out.end_object();
  });
  answer.columns.emplace_back("value", std::move(values));
  answer.columns.emplace_back("ops", std::move(counts));
  return answer;
}

}  // namespace roofline
