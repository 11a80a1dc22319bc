#include "session/view.hpp"

#include <algorithm>

namespace roofline {
namespace {

constexpr ViewKey keys[] = {
    {"statuses", &ViewSettings::statuses, "shown; absent: all"},
    {"types", &ViewSettings::types, "shown; absent: all"},
    {"categories", &ViewSettings::categories, "shown; absent: all"},
    {"steps", &ViewSettings::steps, "shown; absent: all"},
    {"bounds", &ViewSettings::bounds, "shown: names of resources, or \"none\"; absent: all"},
    {"limits", &ViewSettings::limits, "shown: names of the resources that limit them, \"neither\", or \"none\": not known; absent: all"},
    {"level", &ViewSettings::level, "of a profile: its operations, or the program and its steps"},
    {"infeed", &ViewSettings::infeed, "with the time of infeed and outfeed"},
    {"memory", &ViewSettings::memory,
     "whose intensity the x axis has: a name of FrameJson.memories, \"bottleneck\" (default), or \"all\": bottleneck and every other"},
    {"search", &ViewSettings::text, "in name or type, case ignored"},
    {"where", &ViewSettings::where, "shown: ops with one of the words, in each column named"},
    {"before_machine", &ViewSettings::before_machine,
     "of the run that is kept to compare with, an id or an object; absent: its own, else the settings'"},
    {"compare_sort", &ViewSettings::compare_sort, "one of CHANGE_ORDERS; absent: by the size of the change"},
    {"compare_descending", &ViewSettings::compare_descending, ""},
    {"grouped", &ViewSettings::grouped, "identical ops as one row with their count; op indices are then group indices"},
    {"top", &ViewSettings::top, "points by time"},
    {"sort", &ViewSettings::sort, "absent: \"lost\""},
    {"descending", &ViewSettings::descending, ""},
    {"selected", &ViewSettings::selected, "an op whose row in the table is asked for"},
    {"offset", &ViewSettings::offset, "of the table's page"},
    {"rows", &ViewSettings::rows, "of the table's page"},
    {"log_x0", &ViewSettings::log_x0, "the density grid's window, decades of FLOP/B; absent: the machine's"},
    {"log_x1", &ViewSettings::log_x1, ""},
    {"log_y0", &ViewSettings::log_y0, "decades of FLOP/s"},
    {"log_y1", &ViewSettings::log_y1, ""},
};

Words words_of(const Json& list) {
  Words out;
  for (const Json& word : list) out.push_back(text_of(word));
  return out;
}

void take(const Json& value, bool& target) {
  if (value.is_boolean()) target = value == Json(true);
}
void take(const Json& value, std::size_t& target) {
  if (const double v = number_of(value); v >= 0 && v < 1e9) target = static_cast<std::size_t>(v);
}
void take(const Json& value, std::optional<std::uint32_t>& target) {
  if (const double v = number_of(value); v >= 0 && v < 4e9) target = static_cast<std::uint32_t>(v);
}
void take(const Json& value, std::optional<double>& target) {
  if (value.is_number()) target = number_of(value);
}
void take(const Json& value, std::string& target) { target = text_of(value); }
void take(const Json& value, Words& target) {
  if (value.is_array()) target = words_of(value);
}
void take(const Json& value, std::optional<Words>& target) {
  if (value.is_array()) target = words_of(value);
}
void take(const Json& value, Where& target) {
  if (value.is_object())
    for (const auto& [column, words] : value.items()) target.emplace_back(column, words_of(words));
}
void take(const Json& value, Level& target) {
  if (text_of(value) == to_string(Level::program)) target = Level::program;
}
void take(const Json& value, std::uint16_t& statuses) {
  if (!value.is_array()) return;
  statuses = 0;
  for (const Json& name : value)
    if (const auto status = named<Status>(text_of(name)))
      statuses = static_cast<std::uint16_t>(statuses | 1u << static_cast<unsigned>(*status));
}
void take(const Json& value, SortBy& target) {
  const std::string name = text_of(value);
  if (name.starts_with(sort_label))
    target = {SortKey::label, name.substr(sort_label.size())};
  else if (const auto key = named<SortKey>(name); key && *key != SortKey::label)
    target = {*key, {}};
}
void take(const Json& value, Json& target) { target = value; }

}  // namespace

std::span<const ViewKey> view_keys() { return keys; }

Result<ViewSettings> parse_view(std::string_view text) {
  const auto json = parse_json(text, "a view such as {\"search\": \"conv\"}");
  if (!json) return Unexpected(json.error());
  if (!json->is_object()) return fail("expected an object");
  ViewSettings view;
  for (const ViewKey& key : keys) std::visit([&](auto member) { take(roofline::member(*json, key.name), view.*member); }, key.member);
  return view;
}

OpFilter in_force(OpFilter filter, const Workload& w) {
  if (w.step.empty()) filter.steps.clear();
  const auto lacks = [&](const auto& column) {
    return std::none_of(w.categories.begin(), w.categories.end(), [&](const Category& c) { return c.name == column.first; });
  };
  filter.where.erase(std::remove_if(filter.where.begin(), filter.where.end(), lacks), filter.where.end());
  return filter;
}

ResultFilter results_in_force(const OpFilter& filter, const Plan& plan) {
  const std::uint32_t bounds = bounds_of(plan, filter.bounds, plan);
  const std::uint32_t limits = limits_of(plan, filter.limits, plan);
  return {filter.statuses, bounds != 0 ? bounds : ~0u, limits != 0 ? limits : ~0u};
}

}  // namespace roofline
