// The archive of torch.export.save: a ZIP file with the exported program as JSON.
#pragma once

#include <roofline/network/byte_source.hpp>
#include <string>

namespace roofline::torch_export {

struct Archive {
  std::string program;         ///< the exported program, JSON
  std::string program_name;    ///< of the member that it is
  std::string weights_config;  ///< which member has which weight, JSON; empty: PyTorch before 2.8, where the archive does not say
  std::vector<std::string> other_programs;
};

/// Reads no weights. Fails where the archive is damaged or has no exported program, and says what it is instead where that is known.
[[nodiscard]] Result<Archive> read_archive(const ByteSource& source);

}  // namespace roofline::torch_export
