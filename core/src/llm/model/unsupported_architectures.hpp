// Architectures that a config.json would be misread as: hybrids, encoders, and experts under other names.
#pragma once

#include <string_view>

#include "llm/model/config_reader.hpp"

namespace roofline {

/// Whether a model_type of transformers or an architecture of llama.cpp generates no text.
[[nodiscard]] bool is_encoder(std::string_view architecture);

/// Fails where the model is no decoder, or has layers that are neither attention, full or in a window, nor recurrent ones that are
/// modelled: their cache, state and work would be wrong.
[[nodiscard]] Result<void> check_architecture(const Json& config);

/// Rejects an unknown key for the number of experts: the model would count as dense.
void reject_unknown_expert_keys(ConfigReader& in, const Json& config);

}  // namespace roofline
