// Measured KL divergences of quantised models: the CSV tables of Thireus' GGUF Tool Suite.
#pragma once

#include <filesystem>
#include <map>
#include <roofline/llm/quality_table.hpp>
#include <string>
#include <vector>

namespace roofline::validation {

struct KldTable {
  std::string model;                    ///< "Qwen3-4B-Instruct-2507"
  std::map<std::string, double> types;  ///< nats per token with all tensors in a type, by format
  /// Of each tensor alone in one low type, by that type; tensors without a figure are left out.
  std::map<std::string, std::map<std::string, double>> tensors;

  /// The row of `tensors` with the fewest extremes: that of the most bits.
  [[nodiscard]] const std::map<std::string, double>& low() const;
  /// Whether small tensors stand out from the noise of the measurement.
  [[nodiscard]] bool resolved() const;
};

/// NAME.group0.csv and NAME.tensor.csv of a folder, by name; empty if there is none.
[[nodiscard]] std::vector<KldTable> read_kld_tables(const std::filesystem::path& folder);

/// Active parameters and kind: of the preset, else of the model's card.
struct Architecture {
  double active = 15e9;  ///< of a model that is not known, too
  ModelKind kind = ModelKind::dense;
};
[[nodiscard]] Architecture architecture_of(const KldTable& table);

/// The preset with the architecture of the table's model; null: there is none.
[[nodiscard]] const Model* preset_of(const KldTable& table);
/// Whether both are of the same model or the same preset.
[[nodiscard]] bool same_architecture(const KldTable& a, const KldTable& b);
/// Gemma 4's, far above the others' (outlier_factor()): in no fit.
[[nodiscard]] bool is_outlier(const KldTable& table);

/// "blk.3.ffn_down.weight" -> 3, "ffn_down"; -1 of no layer.
struct TensorPlace {
  int layer = -1;
  std::string base;
};
[[nodiscard]] TensorPlace place_of(const std::string& tensor);

}  // namespace roofline::validation
