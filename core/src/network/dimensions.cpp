// The lengths that a network leaves open: which the user has set, and which usual ones stand in.
#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/network/network.hpp>

#include "base/letters.hpp"
#include "base/parse_number.hpp"
#include "network/length_expression.hpp"
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

constexpr double most = 1e9;  // products of several still count exactly

/// What stands in for a length that nobody has set; NaN: nothing usual is known of it.
double stand_in(const Dimension& d, bool decoding) {
  const bool name_is_of_input = d.name.ends_with(".0") || d.name.ends_with("dim0");  // its words tell nothing of the dimension
  const double batch = d.leads_input ? 1 : unknown;
  const double by_name = known_or(name_is_of_input ? batch : unknown, usual_length(d.name, decoding));
  const double length = known_or(d.usual, known_or(by_name, batch));
  return known(length) ? std::clamp(length, d.least, known_or(d.greatest, most)) : unknown;
}

class Settings {
 public:
  explicit Settings(std::vector<Dimension> open) : all_(std::move(open)) {}

  Result<std::vector<Dimension>> set(const DimensionValues& given) {
    for (const auto& [name, text] : given)
      if (const Result<void> taken = take(name, text); !taken) return Unexpected(taken.error());
    follow();
    for (const Sum& sum : sums_) derive(sum);
    const bool decoding = std::any_of(
        all_.begin(), all_.end(), [](const Dimension& d) { return lower(d.name).find("past") != std::string::npos && !(d.value == 0); });
    for (Dimension& d : all_)
      if (!known(d.value) && !d.decided_by_data) {
        d.value = stand_in(d, decoding);
        d.assumed = known(d.value);
      }
    follow();
    for (const auto& follows : follows_)
      if (const std::size_t at = follows.first; all_[at].value < all_[at].least || all_[at].value > all_[at].greatest)
        return Unexpected(wrong_length(all_[at], plain(all_[at].value)));
    for (const Sum& sum : sums_)
      if (sum.expression.at(lengths(sum)) != sum.length) return Unexpected(disagreement(sum));
    return std::move(all_);
  }

 private:
  struct Sum {
    std::string text;
    LengthExpression expression;
    double length;
  };

  /// By its name, its place or a usual word for it; null: there is none.
  Dimension* find(std::string_view name) {
    for (Dimension& d : all_)
      if (d.name == name) return &d;
    for (Dimension& d : all_)
      if (!d.place.empty() && d.place == name) return &d;
    for (Dimension& d : all_)
      if (!d.known_as.empty() && lower(name).starts_with(d.known_as)) return &d;
    return nullptr;
  }

  Result<void> take(const std::string& name, const std::string& text) {
    Dimension* d = find(name);
    const double length = parse_number(text);
    if (!d) {
      LengthExpression expression(name);
      const std::vector<std::string>& names = expression.names();
      const bool of_names = !expression.is_name() && !names.empty() &&
                            std::all_of(names.begin(), names.end(), [&](const std::string& n) { return find(n) != nullptr; });
      if (!of_names || !known(length)) return Unexpected(no_such(name));
      sums_.push_back({name, std::move(expression), length});
      return {};
    }
    if (const Dimension* other = known(length) ? nullptr : find(text)) {
      follows_.emplace_back(static_cast<std::size_t>(d - all_.data()), static_cast<std::size_t>(other - all_.data()));
      return {};
    }
    if (!(length >= d->least && length <= known_or(d->greatest, most)) || length != std::floor(length))
      return Unexpected(wrong_length(*d, text));
    d->value = length;
    return {};
  }

  /// Repeats so that chains of followers resolve; the number of rounds also ends cycles.
  void follow() {
    for (std::size_t round = 0; round < follows_.size(); ++round)
      for (const auto& [at, other] : follows_) {
        all_[at].value = all_[other].value;
        all_[at].assumed = all_[other].assumed;
      }
  }

  Lengths lengths(const Sum& sum) {
    Lengths out;
    for (const std::string& name : sum.expression.names()) out.push_back(find(name)->value);
    return out;
  }

  /// Sets the one length that a sum leaves open, if the sum is linear in it.
  void derive(const Sum& sum) {
    Lengths at = lengths(sum);
    if (std::count_if(at.begin(), at.end(), [](double l) { return !known(l); }) != 1) return;
    const auto missing = static_cast<std::size_t>(std::find_if(at.begin(), at.end(), [](double l) { return !known(l); }) - at.begin());
    Dimension& d = *find(sum.expression.names()[missing]);
    at[missing] = d.least;
    const double first = sum.expression.at(at);
    at[missing] = d.least + 1;
    const double length = d.least + (sum.length - first) / (sum.expression.at(at) - first);
    if (length >= d.least && length <= known_or(d.greatest, most) && length == std::floor(length)) d.value = length;
  }

  Error disagreement(const Sum& sum) {
    std::string parts;
    for (const std::string& name : sum.expression.names())
      parts += (parts.empty() ? "" : ", ") + printable(name) + (known(find(name)->value) ? " = " + plain(find(name)->value) : " not set");
    return {printable(sum.text) + " is not " + plain(sum.length) + " with " + parts + ": set these dimensions", 0, 0, "dim"};
  }

  Error no_such(const std::string& name) const {
    std::string names;
    for (const Dimension& open : all_) names += (names.empty() ? "" : ", ") + open.name;
    return {"there is no dimension \"" + printable(name) +
                "\": " + (names.empty() ? "the network leaves none open" : "expected one of " + names),
            0, 0, "dim"};
  }

  std::vector<Dimension> all_;
  std::vector<std::pair<std::size_t, std::size_t>> follows_;
  std::vector<Sum> sums_;
};

}  // namespace

Result<std::vector<Dimension>> set_dimensions(const Network& network, const DimensionValues& given) {
  return Settings(network.open_dimensions()).set(given);
}

}  // namespace roofline
