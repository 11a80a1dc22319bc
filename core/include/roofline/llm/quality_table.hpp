// What quantisation costs a language model in quality, as fitted to measurements: presets/quality/gguf.json.
#pragma once

#include <functional>
#include <map>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// Of a model in one type: ln KLD = log_kld + mla (with MLA) + parameters_exponent ln(active parameters / reference).
struct TypeQuality {
  double log_kld = 0, mla = 0;
  double band = 1;  ///< the factor up and down within which four in five models are
};

struct QualityTable {
  using Numbers = std::map<std::string, double, std::less<>>;
  std::map<std::string, TypeQuality, std::less<>> types;  ///< by format
  Numbers weights;                                        ///< of a class of tensors in a layer ("ffn_down"), relative to the others
  Numbers shares;                                         ///< "output", "token_embd", "tied_token_embd": in the whole divergence
  Numbers depth;                                          ///< factors of the first and the last layer ("first_attn")
  std::map<std::string, Numbers, std::less<>> measured;   ///< by normalised name of a model: its divergence in each type
  double parameters_exponent = 0, reference_active_parameters = 1;
  std::string credit;

  /// The built-in one.
  [[nodiscard]] static const QualityTable& preset();
};

/// A document as presets/quality/gguf.json. The error names what is missing.
[[nodiscard]] Result<QualityTable> parse_quality_table(std::string_view json);

}  // namespace roofline
