// OpenVINO models (IR) as networks.
#pragma once

#include <memory>
#include <roofline/network/network.hpp>

namespace roofline {

/// Whether a file begins as an OpenVINO model does: XML with <net>, and no times, which the graph that a device has executed states.
[[nodiscard]] bool is_openvino_model(std::string_view start);
[[nodiscard]] Result<std::unique_ptr<Network>> open_openvino_model(const ByteSource& source);

}  // namespace roofline
