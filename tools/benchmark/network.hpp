#pragma once

#include <string>

/// What opening an ONNX file costs, from its bytes to operations that can be analysed, as members of a JSON object: of 500 nodes
/// "network_500_ms", and "network_resize_500_ms" where a dimension is set to another length; of 50,000 nodes "network_50k_ms".
std::string network_figures();
