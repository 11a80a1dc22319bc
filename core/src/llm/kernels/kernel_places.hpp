// Which of a model's operators the kernels of one step run, by their class and their order.
#pragma once

#include <roofline/base/result.hpp>
#include <roofline/llm/model.hpp>
#include <string>
#include <vector>

#include "llm/kernels/kernel_class.hpp"

namespace roofline {

/// What kernels tell apart. Several operators of a model may be run in one place.
enum class KernelPlace : std::uint8_t {
  none,
  embedding,
  norms,  ///< all of them, with the sums of the residual stream that they begin with
  qkv,    ///< products before attention; with MLA those after it, too
  rope,   ///< with the norms of queries and keys
  cache,
  attention,
  windowed_attention,
  output,  ///< products after attention
  mlp_in,
  activation,
  mlp_out,
  router,
  experts,
  shared_experts,
  all_reduce,
  all_to_all,
  head
};
inline constexpr std::size_t kernel_places = 18;

struct StepKernel {
  std::string name;
  double time_s = 0;
};

/// The place of each kernel of a forward pass, in the order of time. Attention divides it into layers; an error where it has not as many
/// as the model.
[[nodiscard]] Result<std::vector<KernelPlace>> places_of(const std::vector<StepKernel>& kernels, const Model& model);

}  // namespace roofline
