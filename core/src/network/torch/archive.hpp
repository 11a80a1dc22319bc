// The archive of torch.export.save: a ZIP file with the exported program as JSON.
#pragma once

#include <cstdint>
#include <map>
#include <roofline/network/byte_source.hpp>
#include <string>
#include <vector>

namespace roofline::torch_export {

/// A weight in the archive's file, one element after another.
struct StoredWeight {
  std::uint64_t storage = 0;  ///< the offset of its storage's bytes
  std::uint64_t first = 0;    ///< its first element in the storage
};
using StoredWeights = std::map<std::string, StoredWeight>;

struct Archive {
  std::string program;         ///< the exported program, JSON
  std::string program_name;    ///< of the member that it is
  std::string weights_config;  ///< which member has which weight, JSON; empty: PyTorch before 2.8, where the archive does not say
  StoredWeights weights;       ///< by name; compressed, pickled and permuted ones are left out
  std::vector<std::string> other_programs;
};

/// Reads no weights. Fails where the archive is damaged or has no exported program, and says what it is instead where that is known.
[[nodiscard]] Result<Archive> read_archive(const ByteSource& source);

}  // namespace roofline::torch_export
