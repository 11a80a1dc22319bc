// What an answer adds to a document's summary.
#pragma once

#include "base/members.hpp"

namespace roofline {

/// The members that only a language model's document has.
void add_llm_members(ObjectSchema& summary);

}  // namespace roofline
