// What a split between a card and its host adds to the schema of a summary.
#pragma once

#include "base/members.hpp"

namespace roofline {

/// The member "offload", which only documents of `roofline llm --host` have.
void add_offload_member(ObjectSchema& summary);

}  // namespace roofline
