// TFLite (LiteRT) files as networks.
#pragma once

#include <memory>
#include <roofline/network/network.hpp>

namespace roofline {

/// Whether a file begins as a TFLite model does: the identifier of its FlatBuffer is TFL3.
[[nodiscard]] bool is_tflite(std::string_view start);
[[nodiscard]] Result<std::unique_ptr<Network>> open_tflite(const ByteSource& source);

}  // namespace roofline
