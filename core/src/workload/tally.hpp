// Operations of any number of runs added up, by name, class and shape. Sums are exact, so that a tally does not depend on the order in
// which runs and other tallies were added.
#pragma once

#include <array>
#include <roofline/base/number.hpp>
#include <roofline/workload/workload.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "workload/columns.hpp"
#include "workload/exact_sum.hpp"

namespace roofline {

/// What was the same of so many records. What is known of some and not of others makes two rows of them, so that all sums are of all.
struct TallyRow {
  struct ChannelSum {
    std::string name;
    bool link = false;
    ExactSum bytes;
  };
  std::string name;  ///< empty: none
  OpClass op_class;
  std::uint32_t shape = 0;  ///< Workload::shape_hash
  OpSizes sizes;            ///< those of that shape; absent in older documents
  std::uint64_t records = 0;
  std::uint32_t known = 0;  ///< bit per column, in the order of for_each_column
  std::array<ExactSum, number_columns> sums;
  std::vector<ChannelSum> channels;  ///< those known
  bool bounded = false, judged = false;
  ExactSum predicted_s;  ///< where bounded
  ExactSum lost_s;       ///< where judged: beyond the bound, not netted

  /// What tells rows apart, and sorts them.
  [[nodiscard]] std::string key() const;
  /// Adds the sums of a row with the same key.
  void add(const TallyRow& same);
};

class Tally {
 public:
  /// To the row with the same key, if there is one.
  void add(TallyRow row);
  [[nodiscard]] const std::vector<TallyRow>& rows() const { return rows_; }

 private:
  std::vector<TallyRow> rows_;
  std::unordered_map<std::string, std::size_t> places_;  // by key
};

/// The sizes of an operation, by the names they have in documents.
struct SizeMember {
  const char* name;
  double OpSizes::* size;
};
inline constexpr SizeMember size_members[] = {{"m", &OpSizes::m},         {"n", &OpSizes::n},         {"k", &OpSizes::k},
                                              {"batch", &OpSizes::batch}, {"heads", &OpSizes::heads}, {"window", &OpSizes::window}};

/// The flags of a class that say what its work is, by the names they have in documents.
struct Trait {
  const char* name;
  bool OpClass::* flag;
};
inline constexpr Trait traits[] = {{"matrix_work", &OpClass::matrix_work},
                                   {"vector_work", &OpClass::vector_work},
                                   {"measured_bytes", &OpClass::measured_bytes},
                                   {"roles_unknown", &OpClass::roles_unknown},
                                   {"time_only", &OpClass::time_only},
                                   {"rates_only", &OpClass::rates_only},
                                   {"invalid", &OpClass::invalid}};

/// One row of a workload, without what the analysis says of it.
[[nodiscard]] TallyRow tally_row(const Workload& workload, std::size_t op);

}  // namespace roofline
