// The formats that quantisation methods store weights in, by the keys of a quantization_config.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "llm/model/format_assignment.hpp"

namespace roofline {

/// The catalogue's format of that id; no_format: unknown.
[[nodiscard]] StoredFormat stored(std::string_view id);

/// The format with `bits` per element and, per `group` elements, a 16-bit scale and, with `zero_point`, a zero point of `bits`. A group
/// below 1 or NaN: per channel. no_format: unknown.
[[nodiscard]] StoredFormat stored(double bits, double group, bool floating, bool zero_point);

/// Integers with `bits_per_group` beside each group: a scale, and maybe a zero point or an offset.
[[nodiscard]] StoredFormat stored_integer(double bits, double group, double bits_per_group);

/// The format by the keys of GPTQ and AutoRound in `own`, or where it lacks one, by those in `common`.
[[nodiscard]] StoredFormat stored_by_keys(const Json& own, const Json& common);

/// An algorithm of NVIDIA's Model Optimizer.
[[nodiscard]] StoredFormat stored_by_algorithm(const std::string& algorithm);

/// HQQ: `weight_quant_params` and what its scales and zeros are quantised to.
[[nodiscard]] StoredFormat stored_by_hqq(const Json& parameters);

/// AMD Quark: a layer's `weight`.
[[nodiscard]] StoredFormat stored_by_quark(const Json& layer);

/// The method of a quantization_config, in lower-case letters and digits ("autoround"); empty: none is stated.
[[nodiscard]] std::string quantization_method(const Json& config);

/// The format of all linear layers by the method's keys; no_format: not understood.
[[nodiscard]] StoredFormat stored_by_method(const std::string& method, const Json& config);

}  // namespace roofline
