// Which operations of a network compilers and runtimes merge into one.
#pragma once

#include <optional>
#include <roofline/machine/tool_chain.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// Where the rules of a tool chain are stated; several sources are separated by "; ". Empty for `none`.
[[nodiscard]] std::string fusion_sources(ToolChain tool_chain);

/// The tool chain that `fold`, the value of --fold, chooses. "": `engine`, which ran the network, if it is known, else `usual`, that of the
/// machine; "usual": the same, but `all` instead of `none`; else the one of that name. nullopt: no tool chain has that name.
[[nodiscard]] std::optional<ToolChain> chosen_tool_chain(std::string_view fold, ToolChain usual, ToolChain engine = ToolChain::none);

}  // namespace roofline
