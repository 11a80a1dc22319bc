// A TFLite model's nodes with their work: its shapes are stored, so that nothing is left to be set.
#pragma once

#include "network/tflite/model.hpp"

namespace roofline::tflite {

/// The first subgraph is the main graph. The others are listed apart, as bodies: those of WHILE, IF and the like behind the operators that
/// run them; behind all of it those of further signatures, each of which is a phase that runs without the rest ("prefill_128", "decode").
/// `model` must outlive the result; `file` has the operators' options.
[[nodiscard]] Result<SizedNetwork> size_network(FlatBuffer& file, const Model& model);

}  // namespace roofline::tflite
