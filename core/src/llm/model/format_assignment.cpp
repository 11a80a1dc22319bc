#include "llm/model/format_assignment.hpp"

#include <algorithm>
#include <array>
#include <roofline/base/text.hpp>

#include "base/parse_number.hpp"
#include "llm/model/stored_formats.hpp"
#include "llm/model/weight_modules.hpp"

namespace roofline {
namespace {

using enum WeightPart;

bool of_attention(WeightPart part) { return part == q || part == k || part == v || part == o || part == kv_b; }
bool of_linear_layer(WeightPart part) { return part != router && part != head && part != embedding; }

/// In the names of modules whose formats no operator here depends on.
constexpr std::string_view not_modelled[] = {"vis",  "audio",       "projector", "mtp",   "eh_proj", "nextn",
                                             "norm", "shared_head", "conv1d",    "_gate", "embed",   "e_score"};

std::string module_name_in_layer(std::string name, int layer) {
  if (const std::size_t n = name.find(".N."); n != std::string::npos) name.replace(n + 1, 1, std::to_string(layer));
  return name;
}

/// The whole number behind the first `word`; NaN: none.
double number_behind(std::string_view word, std::string_view text) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return unknown;
  text.remove_prefix(at + word.size());
  return parse_number(text.substr(0, text.find_first_not_of("0123456789")));
}

/// Whether a pattern is known to match modules that are not looked up: of other towers, of layers that predict further tokens, or of
/// experts, all of which the first represents.
bool targets_uncounted_module(std::string pattern, double layers) {
  std::erase(pattern, '\\');
  return number_behind("layers.", pattern) >= layers || number_behind("experts.", pattern) > 0 ||
         std::any_of(std::begin(not_modelled), std::end(not_modelled),
                     [&](std::string_view word) { return pattern.find(word) != std::string_view::npos; });
}

}  // namespace

void FormatAssignment::PatternList::add(Entry entry) {
  const std::size_t index = entries_.size();
  if (!entry.pattern.is_literal())
    non_literals_[std::string(entry.pattern.prefix())].push_back(index);
  else if (!literals_.emplace(entry.pattern.text(), index).second)
    return;  // stated again
  entries_.push_back(std::move(entry));
}

const FormatAssignment::Entry* FormatAssignment::PatternList::first(std::string_view module, int& steps) {
  std::size_t found = entries_.size();
  const auto match = [&](std::size_t index) {
    entries_[index].matched = true;
    found = std::min(found, index);
  };
  for (std::size_t from = 0; from < module.size() && !literals_.empty(); from = std::min(module.find('.', from), module.size()) + 1)
    for (std::size_t to = from; to < module.size();) {
      to = std::min(module.find('.', to + 1), module.size());
      if (const auto at = literals_.find(module.substr(from, to - from)); at != literals_.end()) match(at->second);
    }
  for (std::size_t length = 0; length <= module.size() && steps > 0; ++length)
    if (const auto at = non_literals_.find(module.substr(0, length)); at != non_literals_.end())
      for (const std::size_t index : at->second)
        if ((index < found || !entries_[index].matched) && entries_[index].pattern.matches(module, steps)) match(index);
  return found < entries_.size() ? &entries_[found] : nullptr;
}

void FormatAssignment::add(PatternList& to, Entry entry, PatternSyntax syntax) {
  if (auto known = ModulePattern::parse(entry.text, syntax)) {
    entry.pattern = std::move(*known);
    to.add(std::move(entry));
  } else {
    unsupported_.add(entry.text);
  }
}

void FormatAssignment::exclude(const std::string& pattern, PatternSyntax syntax) { add(excluded_, {{}, {}, pattern}, syntax); }

void FormatAssignment::assign(const std::string& pattern, const StoredFormat& format, PatternSyntax syntax) {
  add(assigned_, {{}, format, pattern}, syntax);
}

StoredFormat FormatAssignment::format_of(WeightPart part, const std::vector<const char*>& names, int layer) {
  const Entry *excluded = nullptr, *assigned = nullptr;
  for (const char* name : names) {
    const std::string module = module_name_in_layer(name, layer);
    if (const Entry* found = excluded_.first(module, steps_)) excluded = found;
    if (const Entry* found = assigned_.first(module, steps_); found && (!assigned || found < assigned)) assigned = found;
  }
  if (excluded) return {};
  return assigned ? assigned->format : of_linear_layer(part) ? linear_ : StoredFormat{};
}

void FormatAssignment::note_patterns() {
  if (unsupported_.any())
    model_.notes.push_back("quantization_config has patterns that are not supported: " + unsupported_.text() +
                           ". Their modules use the default format.");
  if (steps_ == 0) {
    model_.notes.push_back("The patterns in quantization_config take too long to match: some modules may count in a wrong format.");
    return;
  }
  for (const PatternList* list : {&excluded_, &assigned_})
    for (const Entry& entry : list->entries())
      if (!entry.matched && !targets_uncounted_module(entry.text, model_.layers)) {
        model_.notes.push_back("The pattern \"" + shortened(entry.text, 60) +
                               "\" in quantization_config matches no known module and has no effect.");
        return;
      }
}

WeightFormats FormatAssignment::formats() {
  const FormatId unquantised = Formats::catalogue().find("bf16").value_or(no_format);
  const auto elements = parameters(model_).by_part;
  struct Sum {
    double elements = 0, bits = 0;
    std::map<FormatId, double> by_format;
  };
  std::array<Sum, weight_parts> sums;
  for (const WeightModule& module : weight_modules())
    for (int layer = 0; layer < layers_; ++layer) {
      // The names of classes that the model lacks are looked up, too: patterns for them are no mistake.
      const StoredFormat s = format_of(module.part, module.names, layer);
      if (!in_layer(module.part, model_, layer)) continue;
      const double amount = module.elements ? module.elements(model_) : 1;
      if (amount == 0) continue;
      const FormatId format = s.format == no_format ? unquantised : s.format;
      Sum& sum = sums[static_cast<std::size_t>(module.part)];
      sum.elements += amount;
      sum.bits += amount * (s.bits > 0 ? s.bits : Formats::catalogue()[format].effective_bits());
      sum.by_format[format] += amount;
    }
  note_patterns();
  WeightFormats out;
  for (std::size_t i = 0; i < weight_parts; ++i) {
    const auto part = static_cast<WeightPart>(i);
    const Sum& sum = sums[i];
    if (sum.elements == 0 || (!of_attention(part) && elements[i] == 0)) continue;
    const FormatId most = most_used(sum.by_format);
    const double mean = sum.bits / sum.elements;
    if (most == unquantised && sum.by_format.size() == 1) continue;
    out.set(part, most, mean == Formats::catalogue()[most].effective_bits() ? 0 : mean / 8);
  }
  // As the queries where there are none, so that text() names attention as a whole.
  for (const WeightPart part : {linear, indexer})
    if (elements[static_cast<std::size_t>(part)] == 0) out.set(part, out[q], out.mixed_bytes(q));
  return out;
}

}  // namespace roofline
