// A row of operations in the documents that Roofline reads again; read_tally_row() of read/operations/tally_rows.hpp reads it.
#pragma once

#include "base/members.hpp"
#include "workload/tally.hpp"

namespace roofline {

/// What the operation is: name, kind, shape, sizes.
void write_tally_kind(JsonOut& out, const TallyRow& row);
/// The columns of the workload that hold anything.
void write_tally_columns(JsonOut& out, const TallyRow& row);

[[nodiscard]] ObjectSchema tally_kind_schema();
void add_tally_columns(ObjectSchema& schema);
[[nodiscard]] ObjectSchema tally_formats_schema();

}  // namespace roofline
