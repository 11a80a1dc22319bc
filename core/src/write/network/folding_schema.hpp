// What folding_json() consists of, as a schema.
#pragma once

#include "base/members.hpp"

namespace roofline {

/// The member "folding" of an analysis's summary.
void add_folding_member(ObjectSchema& summary);

}  // namespace roofline
