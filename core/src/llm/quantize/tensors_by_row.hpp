// Tensors whose rows are no whole blocks, in words.
#pragma once

#include <algorithm>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>
#include <roofline/llm/gguf_tensor.hpp>
#include <string>
#include <vector>

#include "base/joined.hpp"
#include "tensor/gguf_tensor_name.hpp"

namespace roofline {

/// Collects names by the length of the rows and by what follows from it.
class TensorsByRow {
 public:
  void add(const GgufTensor& tensor, const std::string& consequence) {
    if (groups_.size() >= most_groups) return;
    Group* group = nullptr;
    for (Group& g : groups_)
      if (g.row == tensor.row && g.consequence == consequence) group = &g;
    if (!group) group = &groups_.emplace_back(Group{tensor.row, consequence, {}});
    const std::string base(split_gguf_name(tensor.name).base);
    if (std::find(group->names.begin(), group->names.end(), base) == group->names.end()) group->names.push_back(base);
  }

  /// "attn_q and attn_k have rows of 896 elements: Q5_0 instead of Q4_K; ffn_down has ..."; empty: none was added.
  [[nodiscard]] std::string text() const {
    std::string out;
    for (const Group& group : groups_)
      out += (out.empty() ? "" : "; ") + listed(group.names) + (group.names.size() > 1 ? " have" : " has") + " rows of " +
             with_commas(static_cast<std::size_t>(group.row)) + " elements: " + group.consequence;
    return out;
  }

 private:
  static constexpr std::size_t most_groups = 64;  // more are no text to read
  struct Group {
    double row;
    std::string consequence;
    std::vector<std::string> names;
  };
  std::vector<Group> groups_;
};

}  // namespace roofline
