// PyTorch's exported programs (torch.export.save, .pt2) as networks.
#pragma once

#include <memory>
#include <roofline/network/network.hpp>

namespace roofline {

/// Whether a file begins as torch.export.save writes it.
[[nodiscard]] bool is_torch_export(std::string_view start);
[[nodiscard]] Result<std::unique_ptr<Network>> open_torch_export(const ByteSource& source);

}  // namespace roofline
