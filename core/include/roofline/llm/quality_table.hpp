// What quantisation costs a language model in quality, as fitted to measurements: presets/quality/gguf.json.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <roofline/base/enum_names.hpp>
#include <roofline/base/result.hpp>
#include <roofline/llm/model.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// The kind of a model, by which its divergence is predicted: latent attention (MLA), else a mixture of experts, else dense.
enum class ModelKind : std::uint8_t { dense, experts, latent };
template <>
inline constexpr auto names_of<ModelKind> = std::to_array<const char*>({"dense", "experts", "latent"});
[[nodiscard]] ModelKind model_kind(const Model& model);

/// The divergence of models with all tensors in one type.
struct TypeQuality {
  double log_kld = 0;                                      ///< ln KLD of the median model
  std::array<double, names_of<ModelKind>.size()> kinds{};  ///< added to log_kld, by ModelKind
  double band = unknown;                                   ///< four in five models are within this factor, up or down; NaN: not fitted
};

struct QualityTable {
  using Numbers = std::map<std::string, double, std::less<>>;
  std::map<std::string, TypeQuality, std::less<>> types;  ///< by format
  Numbers weights;                                        ///< of a class of tensors in a layer ("ffn_down"), relative to the others
  Numbers shares;                                         ///< "output", "token_embd", "tied_token_embd": in the whole divergence
  Numbers depth;                                          ///< factors of the first and the last layer ("first_attn")
  std::map<std::string, Numbers, std::less<>> measured;   ///< by normalised name of a model: its divergence in each type
  double parameters_exponent = 0, reference_active_parameters = 1;  ///< of the kinds whose divergence falls with size
  std::string credit;

  /// What the active parameters add to ln KLD: 0 for experts, whose measured divergence does not depend on their size.
  [[nodiscard]] double size_effect(ModelKind kind, double active_parameters) const;
  /// ln KLD of a model with all tensors in a type.
  [[nodiscard]] double log_kld(const TypeQuality& type, ModelKind kind, double active_parameters) const;

  /// The built-in one.
  [[nodiscard]] static const QualityTable& preset();
};

/// A document as presets/quality/gguf.json. The error names what is missing.
[[nodiscard]] Result<QualityTable> parse_quality_table(std::string_view json);

}  // namespace roofline
