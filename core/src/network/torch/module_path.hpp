// The module that a call belongs to.
#pragma once

#include <string>
#include <string_view>

namespace roofline::torch_export {

/// "blocks.0.qkv" of an nn_module_stack "L__self__,,Encoder;L__s___blocks_0_qkv,L['s'].blocks[0].qkv,Linear": the innermost module's path.
/// Empty: the whole network, or not stated.
[[nodiscard]] std::string module_path(std::string_view nn_module_stack);

}  // namespace roofline::torch_export
