// Architectures that a config.json would be misread as: hybrids, encoders, and experts under other names.
#pragma once

#include "llm/model/config_reader.hpp"

namespace roofline {

/// Fails where the model is no decoder, or has layers that are neither attention, full or in a window, nor gated delta nets: their cache,
/// state and work would be wrong.
[[nodiscard]] Result<void> check_architecture(const Json& config);

/// Refuses a config that states experts by a name that is not read: the model would count as dense.
void refuse_unread_experts(ConfigReader& in, const Json& config);

}  // namespace roofline
