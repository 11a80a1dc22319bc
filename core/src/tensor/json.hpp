// One tensor of a file as members of a JSON object: name, type, shape, elements.
#pragma once

#include <roofline/tensor/tensor.hpp>

#include "base/json_out.hpp"

namespace roofline {

void write_tensor(JsonOut& out, const TensorInfo& tensor);

}  // namespace roofline
