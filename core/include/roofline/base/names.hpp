// Looking things up by name: what counts as the same name, and what is close to a mistyped one.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

/// "NVIDIA H100-SXM" -> "nvidiah100sxm": lower case, letters and digits only. How every look-up by name compares.
[[nodiscard]] std::string normalised(std::string_view name);

/// Candidates closest to `name` by edit distance, best first, at most three, none that is far off.
[[nodiscard]] std::vector<std::string> near_matches(std::string_view name, const std::vector<std::string>& candidates);

/// ": did you mean a or b?"; where nothing is near, ": " and what is said instead, if anything.
[[nodiscard]] std::string did_you_mean(const std::vector<std::string>& near, std::string_view otherwise = {});

/// `unknown machine "h10": did you mean h100-sxm?`; if no name is close, it names the command that lists them all.
[[nodiscard]] std::string unknown_name_message(std::string_view kind, std::string_view name, const std::vector<std::string>& near);

/// The ids of the `names` closest to `name`, each once; `id_of` gives a name's id.
template <class IdOf>
[[nodiscard]] std::vector<std::string> near_ids(std::string_view name, const std::vector<std::string>& names, const IdOf& id_of) {
  std::vector<std::string> ids;
  for (const std::string& match : near_matches(name, names)) {
    std::string id(id_of(match));
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(std::move(id));
  }
  return ids;
}

}  // namespace roofline
