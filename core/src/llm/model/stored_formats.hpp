// The formats of a model's weights from how its tensors are stored: what the readers of checkpoints and GGUF files share.
#pragma once

#include <map>
#include <optional>
#include <roofline/llm/model.hpp>
#include <string>

#include "base/json.hpp"

namespace roofline {

/// The format with the largest amount (elements, bytes or layers), of several the lowest id; no_format: `amounts` is empty.
[[nodiscard]] FormatId most_used(const std::map<FormatId, double>& amounts);

/// The weights-only format whose bits per element, scales included, are nearest to `bits`.
[[nodiscard]] FormatId nearest_weight_format(double bits);

/// The member `formats` of a model's document.
[[nodiscard]] Json formats_json(const WeightFormats& formats);

/// The member `stored` of a model's document, and back; nullopt: there is none.
[[nodiscard]] Json stored_json(const StoredWeights& stored);
[[nodiscard]] std::optional<StoredWeights> stored_weights(const Json& json);

/// Says that `bytes` of tensors, such as the one named, are not counted in any operator.
[[nodiscard]] std::string not_modelled_note(double bytes, const std::string& tensor);

}  // namespace roofline
