// What modules_json() consists of, as a schema.
#pragma once

#include "base/members.hpp"

namespace roofline {

/// The member "by_module" of an analysis's summary.
void add_modules_member(ObjectSchema& summary);

}  // namespace roofline
