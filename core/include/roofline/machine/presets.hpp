// The files under presets/, compiled into the library (see presets/CMakeLists.txt). The core itself reads no files.
#pragma once

#include <span>
#include <string_view>

namespace roofline {

struct PresetFile {
  std::string_view name;  ///< file name without extension: "h100-sxm"
  std::string_view text;  ///< its JSON
};

/// The files of presets/<folder>, by name; empty where there is no such folder.
[[nodiscard]] std::span<const PresetFile> preset_files(std::string_view folder);

/// presets/grids/gguf.json.
[[nodiscard]] std::string_view gguf_grids_preset();
/// presets/checkpoints/quantized.json.
[[nodiscard]] std::string_view quantized_checkpoints_preset();
/// presets/quality/gguf.json.
[[nodiscard]] std::string_view gguf_quality_preset();

}  // namespace roofline
