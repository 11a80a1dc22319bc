// The lengths that a network leaves open: which the user has set, and which usual ones stand in.
#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/network/network.hpp>

#include "base/letters.hpp"
#include "base/parse_number.hpp"
#include "network/sized.hpp"

namespace roofline {
namespace {

/// Words of names, and the lengths that are usual for them. The first that a name holds counts. `decoding`: there are tokens of the past.
struct Usual {
  std::string_view word;
  double length, decoding;
};
constexpr Usual usual[] = {{"past", 127, 127},   {"total", 128, 128}, {"encoder", 128, 128}, {"seq", 128, 1},
                           {"token", 128, 1},    {"length", 128, 1},  {"batch", 1, 1},       {"kv", 128, 128},
                           {"height", 224, 224}, {"width", 224, 224}, {"channel", 3, 3}};

double usual_length(const std::string& name, bool decoding) {
  const std::string word = lower(name);
  if (word == "n" || word == "b") return 1;
  if (word == "h" || word == "w") return 224;
  for (const Usual& u : usual)
    if (word.find(u.word) != std::string::npos) return decoding ? u.decoding : u.length;
  return unknown;
}

Error wrong_length(const Dimension& d, const std::string& text) {
  std::string limits = "a whole number of at least " + number(d.least);
  if (known(d.greatest)) limits += " and at most " + number(d.greatest);
  return {"the dimension " + d.name + ": expected " + limits + ", or another dimension's name, found \"" + printable(text) + '"', 0, 0,
          "dim"};
}

}  // namespace

Result<std::vector<Dimension>> set_dimensions(const Network& network, const DimensionValues& given) {
  std::vector<Dimension> out = network.open_dimensions();
  const auto find = [&](std::string_view name) {
    return std::find_if(out.begin(), out.end(), [&](const Dimension& d) { return d.name == name; });
  };
  std::vector<std::pair<std::size_t, std::string>> follows;
  for (const auto& [name, text] : given) {
    const auto d = find(name);
    if (d == out.end()) {
      std::string names;
      for (const Dimension& open : out) names += (names.empty() ? "" : ", ") + open.name;
      return Unexpected(Error{"there is no dimension \"" + printable(name) +
                                  "\": " + (names.empty() ? "the network leaves none open" : "expected one of " + names),
                              0, 0, "dim"});
    }
    const double length = parse_number(text);
    if (!known(length) && find(text) != out.end()) {
      follows.emplace_back(static_cast<std::size_t>(d - out.begin()), text);
      continue;
    }
    constexpr double most = 1e9;  // products of several still count exactly
    if (!(length >= d->least && length <= known_or(d->greatest, most)) || length != std::floor(length))
      return Unexpected(wrong_length(*d, text));
    d->value = length;
  }
  const bool decoding = std::any_of(out.begin(), out.end(),
                                    [](const Dimension& d) { return lower(d.name).find("past") != std::string::npos && !(d.value == 0); });
  for (Dimension& d : out)
    if (!known(d.value) && !d.decided_by_data) {
      d.value = std::clamp(known_or(d.usual, usual_length(d.name, decoding)), d.least, known_or(d.greatest, 1e9));
      d.assumed = known(d.value);
    }
  // One may follow another that follows: as often as there are any, and a circle ends as it stands.
  for (std::size_t round = 0; round < follows.size(); ++round)
    for (const auto& [at, name] : follows) {
      out[at].value = find(name)->value;
      out[at].assumed = find(name)->assumed;
    }
  for (const auto& [at, name] : follows)
    if (out[at].value < out[at].least || out[at].value > out[at].greatest) return Unexpected(wrong_length(out[at], plain(out[at].value)));
  return out;
}

}  // namespace roofline
