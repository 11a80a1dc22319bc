// The patterns by which quantisation tools name a model's modules.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace roofline {

/// A pattern as text in which '*' stands for any text: "re:.*mlp\.gate$" -> "*mlp.gate", "self_attn" -> "self_attn". nullopt: a regular
/// expression with more than literal text, "." and ".*".
[[nodiscard]] std::optional<std::string> module_pattern(std::string_view pattern);

/// Whether module_pattern()'s text names "model.layers.3.self_attn.q_proj": as a whole where it has a '*', else as parts of the dotted name
/// ("self_attn", "model.layers.3", "lm_head").
[[nodiscard]] bool names_module(std::string_view pattern, std::string_view module);

}  // namespace roofline
