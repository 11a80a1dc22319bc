// Where the weights of an exported program are in its archive.
#pragma once

#include "network/torch/archive.hpp"
#include "network/torch/zip_members.hpp"

namespace roofline::torch_export {

/// Since PyTorch 2.8: a member for each weight, beside the member of the `config` that names it.
[[nodiscard]] StoredWeights weights_of_config(const ZipMembers& members, const zip::Member& member_of_config, std::string_view config);

/// Before: serialized_state_dict.pt, an archive of torch.save in the archive `source`.
[[nodiscard]] StoredWeights weights_of_state_dict(const ByteSource& source, const ZipMembers& members);

}  // namespace roofline::torch_export
