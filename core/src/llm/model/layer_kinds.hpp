// What a config.json says of layers that differ: which have a window, share a cache, or are recurrent, and what they lack.
#pragma once

#include <roofline/llm/model.hpp>

#include "llm/model/config_reader.hpp"

namespace roofline {

/// Sets the windows, the heads of layers that have one, and `shared_kv_layers`. Where the config does not say which layers have a window,
/// all but every `full_attention_interval`-th do, if the family is known. The sizes of attention are read already.
void read_windows(ConfigReader& in, const Json& json, Model& m, double full_attention_interval, bool known);

/// Whether a model_type of transformers has recurrent layers that are modelled, other than gated delta nets.
[[nodiscard]] bool is_recurrent_family(std::string_view model_type);

/// Sets `blocks` and the layers without attention or an MLP of a model from a GGUF file, which has sizes of 0 there.
void read_left_out_blocks(const Json& json, Model& m);

/// Sets `recurrent`, `blocks` and the layers without attention or an MLP. All else in the model is read already.
void read_recurrent_layers(ConfigReader& in, const Json& json, Model& m);

}  // namespace roofline
