// The readers of network files: is_... recognises a format by the start of a file, open_... reads the network.
#pragma once

#include <memory>
#include <roofline/network/network.hpp>

namespace roofline {

/// A protocol buffer whose first field is the version of its format.
[[nodiscard]] bool is_onnx(std::string_view start);
[[nodiscard]] Result<std::unique_ptr<Network>> open_onnx(const ByteSource& source);

/// XML with <net> and without times. With times it is the graph that a device executed, a profile.
[[nodiscard]] bool is_openvino_model(std::string_view start);
[[nodiscard]] Result<std::unique_ptr<Network>> open_openvino_model(const ByteSource& source);

/// A FlatBuffer whose identifier is TFL3.
[[nodiscard]] bool is_tflite(std::string_view start);
[[nodiscard]] Result<std::unique_ptr<Network>> open_tflite(const ByteSource& source);

/// PyTorch's exported programs, as torch.export.save writes them (.pt2).
[[nodiscard]] bool is_torch_export(std::string_view start);
[[nodiscard]] Result<std::unique_ptr<Network>> open_torch_export(const ByteSource& source);

}  // namespace roofline
