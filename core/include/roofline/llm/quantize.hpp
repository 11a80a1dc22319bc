// The mixtures of llama.cpp's llama-quantize: which tensor of a model's GGUF file gets which format, and so the bytes of all of them.
#pragma once

#include <cstdint>
#include <roofline/base/enum_names.hpp>
#include <roofline/llm/answer.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// A model's weights as one mixture stores them.
struct Mixture {
  std::string name;                             ///< "Q4_K_M"
  std::vector<GgufTensor> tensors;              ///< in the order of the layers
  bool fused_gate = false, linear_qkv = false;  ///< ffn_up holds the gate, too; attn_qkv is a gated delta net's
  int layers = 0;                               ///< of the model; tensors of further layers predict further tokens
  std::string fallback = {};           ///< "attn_q has rows of 896 elements: Q5_0 instead of Q4_K"; empty: all rows are whole blocks
  [[nodiscard]] double bytes() const;  ///< of the tensors, without metadata and tokenizer
  [[nodiscard]] double bits_per_weight() const;  ///< 8 bytes() over all elements
  [[nodiscard]] double padded_bytes() const;     ///< of the tensors as a GGUF file holds them, each padded to 32 bytes
  /// Each class of tensors in the format that holds most of it, at the bytes per element that it has on average.
  [[nodiscard]] WeightFormats weights() const;
  /// Gives the tensors that no operator of the model reads the bytes that they have in this mixture.
  void set_unread_bytes(Model& model) const;
};

/// The names of the mixtures: IQ types, then K types and others, then "F16".
[[nodiscard]] const std::vector<std::string>& mixture_names();

/// A mixture by its name in any case, of the tensors in the model's GGUF file, else of those that llama.cpp's converter writes. `imatrix`:
/// made with an importance matrix, which some mixtures depend on. Fails, with the names that are near, where there is none of that name.
/// Source: github.com/ggml-org/llama.cpp, src/llama-quant.cpp, as of 2026-08.
[[nodiscard]] Result<Mixture> mixture(const Model& model, std::string_view name, bool imatrix);

/// What a divergence is from: measurements of other models; this model's in each of the types, weighted by fitted shares of the tensors; or
/// this model's in the one type that all tensors have.
enum class DivergenceBasis : std::uint8_t { predicted, derived, measured };
template <>
inline constexpr auto names_of<DivergenceBasis> = std::to_array<const char*>({"predicted", "derived", "measured"});

/// What quantisation costs in quality: the KL divergence of a model's predictions from those of the 16-bit model, in nats per token.
struct Divergence {
  double kld = unknown;  ///< NaN: a format whose divergence is not known
  /// The range of `kld`. Predicted: it holds 80% of the models left out of the fit. Derived: it holds 80% of the mixtures of measured
  /// models. Measured: both ends are `kld`.
  double low = unknown, high = unknown;
  DivergenceBasis basis = DivergenceBasis::predicted;
};

/// The sum over the tensors of each one's share in the whole times the divergence of the model in the tensor's type. `imatrix`: whether the
/// file is made with an importance matrix, as those that were measured are; without one the range is wider.
/// Source: presets/quality/gguf.json (GGUF Tool Suite, commit 384c1f85).
[[nodiscard]] Divergence divergence(const Model& model, const Mixture& mixture, bool imatrix);

/// Whose measurements these are. It is shown wherever a figure is.
[[nodiscard]] std::string divergence_credit();

/// What one mixture of a model does on a machine.
struct QuantizedChoice {
  std::string name;
  double weights_bytes = 0;  ///< of all tensors, on all machines
  double bits_per_weight = 0;
  MemoryVerdict memory;                               ///< of one machine, at the request's batch and context
  double tpot_s = unknown, typical_tpot_s = unknown;  ///< seconds per decode step: bound, estimate
  Divergence quality;
  std::string fallback = {};    ///< of tensors whose rows are no whole blocks, as in Mixture
  bool pareto = false;          ///< Pareto-optimal in time per token and divergence; false if either is unknown
  double file_bytes = unknown;  ///< with the metadata of the GGUF file that the model is from; NaN: it is from none
  double file_bytes_low = unknown, file_bytes_high = unknown;  ///< of a model from no file, with usual metadata
};

/// Every mixture of the request's model, smallest first; the request's own format of the weights is left aside.
[[nodiscard]] std::vector<QuantizedChoice> quantized_choices(const LlmRequest& request, const Scenario& scenario, bool imatrix);

/// In words: the most accurate mixture that fits (the largest where accuracies are not known), and the smallest Pareto-optimal one of at
/// least half its bytes.
[[nodiscard]] std::string quantize_finding(const Machine& machine, const std::vector<QuantizedChoice>& choices);

/// "roofline-quantize/1": model, machine, batch, context, imatrix, finding, `mixtures`, and `checkpoints` of other tools.
[[nodiscard]] std::string quantize_json(const LlmRequest& request, const Scenario& scenario, bool imatrix,
                                        const std::vector<QuantizedChoice>& choices);
[[nodiscard]] std::string quantize_table(const std::vector<QuantizedChoice>& choices);

}  // namespace roofline
