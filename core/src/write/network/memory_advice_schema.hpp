// The schema of memory_advice_json().
#pragma once

#include "base/members.hpp"

namespace roofline {

/// The member "activation_memory" of an analysis's summary.
void add_memory_advice_member(ObjectSchema& summary);

}  // namespace roofline
