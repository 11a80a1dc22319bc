#include "kld_tables.hpp"

#include <algorithm>
#include <fstream>
#include <roofline/base/names.hpp>
#include <roofline/machine/format.hpp>
#include <sstream>

namespace roofline::validation {
namespace {

std::vector<std::vector<std::string>> rows_of(const std::filesystem::path& file) {
  std::vector<std::vector<std::string>> out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::vector<std::string> cells;
    std::stringstream rest(line);
    for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
    if (!cells.empty()) out.push_back(std::move(cells));
  }
  return out;
}

/// 0 and 404 say that nothing was measured.
bool measured(double value) { return value > 0 && value < 404; }

/// The rows of Qwen3-4B from the roughest type on; other tables have one row.
constexpr const char* rough_to_fine[] = {"iq1_bn", "iq1_m", "iq1_m_r4", "iq1_kt", "iq2_bn", "iq2_ks", "q2_k_r4"};

struct Known {
  const char *name, *preset;
  double active = 0;  ///< without a preset
  ModelKind kind = ModelKind::dense;
};
// Parameters of those without a preset: the models' cards.
constexpr Known models[] = {{"DeepSeek-V3.1-Terminus", "deepseek-v3"},
                            {"GLM-4.5-Air", "glm-4.5-air"},
                            {"GLM-4.6", "glm-4.5"},
                            {"GLM-4.7-Flash", "glm-4.7-flash"},
                            {"GLM-5.1", "glm-5"},
                            {"GLM-5.2", "glm-5"},
                            {"Kimi-K2.5", "kimi-k2"},
                            {"Qwen3-4B-Instruct-2507", "qwen3-4b"},
                            {"Qwen3-VL-235B-A22B-Instruct", "qwen3-235b-a22b"},
                            {"Qwen3-VL-235B-A22B-Thinking", "qwen3-235b-a22b"},
                            {"Qwen3.5-122B-A10B", "qwen3.5-122b-a10b"},
                            {"Qwen3.5-27B", "qwen3.5-27b"},
                            {"Qwen3.5-35B-A3B", "qwen3.5-35b-a3b"},
                            {"Qwen3.5-397B-A17B", "qwen3.5-397b-a17b"},
                            {"Qwen3.5-9B", "qwen3.5-9b"},
                            {"Qwen3.6-27B", "qwen3.6-27b"},
                            {"Qwen3.8-27B", "qwen3.8-27b"},
                            {"gemma-4-31B-it", "gemma-4-31b", 31e9}};

const Known* known_model(const KldTable& table) {
  const auto* found = std::find_if(std::begin(models), std::end(models), [&](const Known& k) { return table.model == k.name; });
  return found == std::end(models) ? nullptr : found;
}

}  // namespace

const std::map<std::string, double>& KldTable::low() const {
  for (std::size_t i = std::size(rough_to_fine); i-- > 0;)
    if (const auto found = tensors.find(rough_to_fine[i]); found != tensors.end()) return found->second;
  return tensors.begin()->second;
}

bool KldTable::resolved() const {
  std::vector<double> values;
  for (const auto& [name, value] : low()) values.push_back(value);
  if (values.empty()) return false;
  std::sort(values.begin(), values.end());
  constexpr double most = 0.55;  // of the median; the tables with plateaus have 0.6 to 0.97
  return values[values.size() / 20] < most * values[values.size() / 2];
}

std::vector<KldTable> read_kld_tables(const std::filesystem::path& folder) {
  std::vector<KldTable> out;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string file = entry.path().filename().string(), ending = ".group0.csv";
    if (!file.ends_with(ending)) continue;
    KldTable table{file.substr(0, file.size() - ending.size()), {}, {}};
    for (const auto& row : rows_of(entry.path()))
      if (row.size() == 2 && row[0] != "QTYPE") {
        const auto format = Formats::catalogue().find(row[0]);
        if (format && measured(std::stod(row[1]))) table.types[Formats::catalogue()[*format].id] = std::stod(row[1]);
      }
    const auto rows = rows_of(folder / (table.model + ".tensor.csv"));
    for (std::size_t r = 1; r < rows.size(); ++r)
      for (std::size_t c = 1; c < rows[r].size() && c < rows[0].size(); ++c)
        if (const double value = std::stod(rows[r][c]); measured(value)) table.tensors[rows[r][0]][rows[0][c]] = value;
    if (!table.tensors.empty()) out.push_back(std::move(table));
  }
  std::sort(out.begin(), out.end(), [](const KldTable& a, const KldTable& b) { return a.model < b.model; });
  return out;
}

const Model* preset_of(const KldTable& table) {
  const Known* known = known_model(table);
  return known ? Models::presets().find(known->preset) : nullptr;
}

Architecture architecture_of(const KldTable& table) {
  if (const Model* model = preset_of(table)) return {parameters(*model).active(), model_kind(*model)};
  const Known* known = known_model(table);
  return known ? Architecture{known->active, known->kind} : Architecture{};
}

bool same_architecture(const KldTable& a, const KldTable& b) {
  return a.model == b.model || (preset_of(a) && preset_of(a) == preset_of(b));
}

bool is_outlier(const KldTable& table) { return table.model.starts_with("gemma-4"); }

TensorPlace place_of(const std::string& tensor) {
  TensorPlace out{-1, tensor};
  if (tensor.starts_with("blk.")) {
    const std::size_t dot = tensor.find('.', 4);
    out = {std::stoi(tensor.substr(4, dot - 4)), tensor.substr(dot + 1)};
  }
  if (out.base.ends_with(".weight")) out.base.resize(out.base.size() - 7);
  return out;
}

}  // namespace roofline::validation
