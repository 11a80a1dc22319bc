#include <algorithm>
#include <numeric>
#include <roofline/base/names.hpp>
#include <roofline/base/text.hpp>
#include <utility>

#include "base/joined.hpp"
#include "base/sort_stably.hpp"

namespace roofline {
namespace {

/// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string normalised(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      out += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      out += c;
    }
  }
  return out;
}

std::vector<std::string> near_matches(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t most = 3, longest = 64;  // beyond the longest name there is nothing near, and the distance costs length squared
  const std::string wanted = normalised(name);
  if (wanted.empty() || wanted.size() > longest) return {};
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);

  std::vector<std::pair<std::size_t, const std::string*>> near;
  for (const std::string& candidate : candidates) {
    const std::string other = normalised(candidate);
    const bool part = wanted.size() >= 3 && other.find(wanted) != std::string::npos;  // "orin"
    if (!part && std::max(other.size(), wanted.size()) - std::min(other.size(), wanted.size()) > limit) continue;
    const std::size_t distance = std::min<std::size_t>(edit_distance(wanted, other), part ? 1 : longest);
    if (distance <= limit) near.emplace_back(distance, &candidate);
  }
  sort_stably(near, [](const auto& a, const auto& b) { return a.first < b.first; });

  std::vector<std::string> out;
  for (const auto& match : near)
    if (out.size() < most && std::find(out.begin(), out.end(), *match.second) == out.end()) out.push_back(*match.second);
  return out;
}

std::string did_you_mean(const std::vector<std::string>& near, std::string_view otherwise) {
  std::string out;
  for (const std::string& name : near) out += (out.empty() ? ": did you mean " : " or ") + name;
  if (!near.empty()) return out + '?';
  return otherwise.empty() ? "" : ": " + std::string(otherwise);
}

std::string unknown_name_message(std::string_view kind, std::string_view name, const std::vector<std::string>& near) {
  return joined({"unknown ", kind, " \"", printable(name), "\"", did_you_mean(near, joined({"`roofline list ", kind, "s` lists them"}))});
}

}  // namespace roofline
