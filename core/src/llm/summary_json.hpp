// What an answer adds to a document's summary.
#pragma once

#include <string>
#include <vector>

#include "base/members.hpp"

namespace roofline {

/// The members that are one value.
[[nodiscard]] std::vector<std::string> llm_scalars();
/// All of them, which only a language model's document has.
void add_llm_members(ObjectSchema& summary);

}  // namespace roofline
