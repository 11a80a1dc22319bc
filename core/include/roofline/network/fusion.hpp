// Which operations of a network compilers and runtimes merge into one.
#pragma once

#include <optional>
#include <roofline/machine/tool_chain.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// Where the rules of a tool chain are stated; several sources are separated by "; ". Empty for `none`.
[[nodiscard]] std::string fusion_sources(ToolChain tool_chain);

/// The tool chain that --fold names; "": that of `engine`, which ran the network, else `usual`, the machine's; "usual": the same, or `all`
/// if that is `none`. nullopt: there is no such tool chain.
[[nodiscard]] std::optional<ToolChain> chosen_tool_chain(std::string_view fold, ToolChain usual, ToolChain engine = ToolChain::none);

}  // namespace roofline
