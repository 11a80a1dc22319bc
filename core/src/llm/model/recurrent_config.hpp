// What a config.json says of recurrent layers, and of models whose layers differ in what they have.
#pragma once

#include <roofline/llm/model.hpp>

#include "llm/model/config_reader.hpp"

namespace roofline {

/// Whether a model_type of transformers has recurrent layers that are modelled, other than gated delta nets.
[[nodiscard]] bool is_recurrent_family(std::string_view model_type);

/// Sets `recurrent`, `blocks` and the layers without attention or an MLP. All else in the model is read already.
void read_recurrent_layers(ConfigReader& in, const Json& json, Model& m);

}  // namespace roofline
