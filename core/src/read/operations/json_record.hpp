// A record out of a JSON value.
#pragma once

#include <roofline/workload/record.hpp>

#include "base/json.hpp"

namespace roofline {

/// Fills `record`, whose texts are views of `object`, as reading the object's own text would.
void fill(Record& record, const Keys& keys, const Json& object);

}  // namespace roofline
