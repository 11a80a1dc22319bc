#include "read/table/columns/column_role.hpp"

namespace roofline {
namespace {

struct Shown {
  std::string_view words, unit = {};
};
constexpr Shown of_role[role_count] = {{""},
                                       {"name"},
                                       {"type"},
                                       {"number format"},
                                       {"number format of the second operand"},
                                       {"number format of the result"},
                                       {"M"},
                                       {"N"},
                                       {"K"},
                                       {"batch"},
                                       {"kernel height"},
                                       {"kernel width"},
                                       {"height"},
                                       {"width"},
                                       {"channels"},
                                       {"filters"},
                                       {"occurrences"},
                                       {"time", "s"},
                                       {"time of all runs", "s"},
                                       {"FLOPs", "FLOP"},
                                       {"MACs", "MAC"},
                                       {"FLOP rate", "FLOP/s"},
                                       {"bytes", "B"},
                                       {"bandwidth", "B/s"},
                                       {"intensity", "FLOP/B"},
                                       {"shapes of arguments"},
                                       {"types of arguments"},
                                       {"values of arguments"},
                                       {"whether the run may be trusted"},
                                       {"unit of the time"}};

}  // namespace

std::string_view words_of(ColumnRole role) { return of_role[static_cast<std::size_t>(role)].words; }
std::string_view unit_of(ColumnRole role) { return of_role[static_cast<std::size_t>(role)].unit; }

}  // namespace roofline
