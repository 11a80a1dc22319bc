// ONNX files as networks.
#pragma once

#include <memory>
#include <roofline/network/network.hpp>

namespace roofline {

/// Whether a file begins as an ONNX model does: a protocol buffer whose first field is the version of its format.
[[nodiscard]] bool is_onnx(std::string_view start);
[[nodiscard]] Result<std::unique_ptr<Network>> open_onnx(const ByteSource& source);

}  // namespace roofline
