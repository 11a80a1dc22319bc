// A model as checkpoints of other tools than llama-quantize store it: AWQ, GPTQ, MXFP4, NVFP4, FP8 and INT8.
#pragma once

#include <cstdint>
#include <roofline/base/enum_names.hpp>
#include <roofline/llm/answer.hpp>
#include <string>
#include <vector>

namespace roofline {

/// Where the quality of a checkpoint is from.
enum class QualityBasis : std::uint8_t { unknown, published, original };
template <>
inline constexpr auto names_of<QualityBasis> = std::to_array<const char*>({"unknown", "published", "original"});

/// The quality of a checkpoint on its publisher's scale, which is not comparable with a KL divergence.
struct PublishedQuality {
  QualityBasis basis = QualityBasis::unknown;  ///< `original`: the model is published in these formats, so that nothing is lost
  std::string measure;                         ///< "perplexity, WikiText-2"; empty unless published
  double value = unknown, original = unknown;  ///< of the checkpoint and of the 16-bit model; NaN unless published
  std::string source;
};

/// A model in the formats of one method, on a machine.
struct QuantizedCheckpoint {
  std::string method;        ///< "AWQ"; of a model that is published in another format, that format's name
  std::string weights;       ///< formats by part, as LlmRequest has them
  FormatId activations{};    ///< the method's if the machine computes in it, else the request's
  std::string stack;         ///< id of the software that the estimate is for
  double weights_bytes = 0;  ///< of all weights, on all machines
  double bits_per_weight = 0;
  MemoryVerdict memory;                               ///< of one machine, at the request's batch and context
  double tpot_s = unknown, typical_tpot_s = unknown;  ///< seconds per decode step: bound, estimate
  PublishedQuality quality;
};

/// The request's model by every method of presets/checkpoints/quantized.json, and as published if that is in none of their formats.
/// Embedding, head, norms and router stay in 16 bits, unless the model is published in the method's format: then all parts have their
/// published formats. If no stack is chosen, `fused` takes the place of llama.cpp on CUDA, which runs none of these.
[[nodiscard]] std::vector<QuantizedCheckpoint> quantized_checkpoints(const LlmRequest& request, const Scenario& scenario);

/// "perplexity, WikiText-2: 5.6, in 16 bits 5.47"; empty: not known.
[[nodiscard]] std::string quality_text(const PublishedQuality& quality);
/// For a terminal.
[[nodiscard]] std::string checkpoints_table(const std::vector<QuantizedCheckpoint>& checkpoints);

}  // namespace roofline
