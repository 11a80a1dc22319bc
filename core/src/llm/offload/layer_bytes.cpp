#include "llm/offload/layer_bytes.hpp"

#include <algorithm>
#include <roofline/llm/quantize.hpp>

#include "llm/gguf/tensor_names.hpp"
#include "llm/quantize/gguf_tensors.hpp"

namespace roofline {
namespace {

bool same_formats(const WeightFormats& a, const WeightFormats& b) {
  for (std::size_t i = 0; i < weight_parts; ++i)
    if (const auto part = static_cast<WeightPart>(i); a[part] != b[part] || a.mixed_bytes(part) != b.mixed_bytes(part)) return false;
  return true;
}

/// The tensors in the formats that they are stored in; no_format: in that of their class.
std::vector<GgufTensor> stored_tensors(const Model& model, const WeightFormats& weights) {
  const std::string name = weights.text();
  if (Result<Mixture> mixed = mixture(model, name, true); mixed && same_formats(mixed->weights(), weights))
    return std::move(mixed->tensors);
  if (model.gguf_tensors && same_formats(model.published, weights)) return *model.gguf_tensors;
  return gguf_tensors(model);
}

}  // namespace

LayerBytes::LayerBytes(const LlmRequest& request) : layers_(static_cast<std::size_t>(request.setup.model.layers)) {
  const Model& model = request.setup.model;
  const std::vector<GgufTensor> tensors = stored_tensors(model, request.setup.formats.weights);
  const bool by_tensor = std::none_of(tensors.begin(), tensors.end(), [](const GgufTensor& t) { return t.format == no_format; });
  const bool fused = fused_gate(model), linear = model.recurrent.layers > 0;
  for (const GgufTensor& tensor : tensors)
    if (tensor.layer >= 0 && static_cast<std::size_t>(tensor.layer) < layers_.size())
      for (const WeightPart part : gguf_name(tensor.name, fused, linear).parts)
        layers_[static_cast<std::size_t>(tensor.layer)][static_cast<std::size_t>(part)] += by_tensor ? tensor.bytes() : tensor.elements;
}

double LayerBytes::share(WeightPart part, double layers) const {
  double all = 0, last = 0;
  const double first = static_cast<double>(layers_.size()) - layers;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const double bytes = layers_[i][static_cast<std::size_t>(part)];
    all += bytes;
    if (static_cast<double>(i) >= first) last += bytes;
  }
  return all > 0 ? last / all : 0;
}

}  // namespace roofline
