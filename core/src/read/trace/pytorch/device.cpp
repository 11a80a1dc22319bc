#include "read/trace/pytorch/device.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/machine/words.hpp>

#include "base/json.hpp"
#include "base/sort_stably.hpp"

namespace roofline {

const Machine* name_device(std::string_view text, Workload& workload) {
  const Result<Json> devices = parse_json(text, "a list of devices");
  if (!devices || !devices->is_array() || devices->empty()) return nullptr;
  const Json& device = (*devices)[0];
  const std::string name = text_of(member(device, "name"));
  const double units = number_of(member(device, "numSms")), memory = number_of(member(device, "totalGlobalMem"));
  const std::vector<std::string> words = words_of_machines(name);
  std::vector<std::pair<WordMatch, const Machine*>> fitting;
  for (const Machine& m : Machines::presets().all()) {
    WordMatch best = WordMatch::none;
    for (const std::string& word : words) best = std::max(best, match(m, word));
    // A whole name needs no memory to agree: boards of one chip were sold with several.
    if (m.units.value != units || (best != WordMatch::name && !(std::abs(memory / m.capacity() - 1) < 0.06))) continue;
    fitting.emplace_back(best, &m);
  }
  sort_stably(fitting, [](const auto& a, const auto& b) { return a.first > b.first; });
  if (!name.empty()) workload.properties.emplace_back("Device", name);
  if (fitting.empty() || (fitting.size() > 1 && fitting[0].first == fitting[1].first)) return nullptr;
  if (fitting[0].first == WordMatch::none && !words.empty()) return nullptr;  // its name says something else
  workload.machine_json = '"' + fitting[0].second->id + '"';
  return fitting[0].second;
}

std::string rank_of(std::string_view distributed_info) {
  const Result<Json> info = parse_json(distributed_info, "what is known of the ranks");
  if (!info) return {};
  const double rank = number_of(member(*info, "rank")), ranks = number_of(member(*info, "world_size"));
  return ranks > 1 && rank >= 0 ? "rank " + number(rank) + " of " + number(ranks) : std::string();
}

}  // namespace roofline
