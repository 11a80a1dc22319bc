// Shapes of tensors that an NPU keeps in tiles, as the tensors they hold.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace roofline {

/// The shape that `shape` in the layout `layout` stands for, channels behind the batch: FRACTAL_NZ's [N1, M1, 16, 16] is [16 M1, 16 N1],
/// NC1HWC0's [N, C1, H, W, C0] is [N, C1 C0, H, W]. Lengths of tiles are whole: they may be longer than the tensor's own. nullopt: the
/// layout does not tell, as FRACTAL_Z's, which needs the kernel's size.
[[nodiscard]] std::optional<std::vector<double>> logical_shape(const std::vector<double>& shape, std::string_view layout);

/// Whether a layout has tiles.
[[nodiscard]] bool is_tiled(std::string_view layout);

}  // namespace roofline
