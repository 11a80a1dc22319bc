// Which operations of a run a view counts and shows.
#pragma once

#include "session/view.hpp"

namespace roofline {

/// The rows that count: what is left out of it is as if it were not there. Empty: every row.
[[nodiscard]] RowMask rows_that_count(const Workload& workload, const ProfileRows& rows);

/// Those of them that are shown by what the source calls them, in the open run or in the one kept beside it. What the open run has no words
/// for is no filter; of a run that lacks what the open one filters by, nothing is let through.
[[nodiscard]] Filter filter_by_words(const Workload& workload, const WordFilter& words, const Workload& open_run);

}  // namespace roofline
