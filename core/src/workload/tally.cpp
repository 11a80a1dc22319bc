#include "workload/tally.hpp"

#include <cmath>
#include <roofline/base/text.hpp>

#include "base/sort_stably.hpp"

namespace roofline {

std::string TallyRow::key() const {
  std::string out;
  const auto text = [&](const std::string& word) { out += std::to_string(word.size()) + ':' + word; };
  text(name);
  text(op_class.type);
  text(op_class.category);
  for (const FormatId f : {op_class.weight, op_class.activation, op_class.output, op_class.kv})
    text(f == no_format ? "" : Formats::catalogue()[f].id);
  out += std::to_string(static_cast<int>(op_class.symbol));
  for (const Trait& trait : traits) out += op_class.*trait.flag ? '1' : '0';
  out += std::to_string(shape) + ' ' + std::to_string(known) + (bounded ? 'b' : ' ') + (judged ? 'j' : ' ');
  for (const ChannelSum& channel : channels) text(channel.name + (channel.link ? "l" : "m"));
  return out;
}

void TallyRow::add(const TallyRow& same) {
  records += same.records;
  if (!sizes.known()) sizes = same.sizes;
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add(same.sums[i]);
  for (std::size_t i = 0; i < channels.size(); ++i) channels[i].bytes.add(same.channels[i].bytes);
  predicted_s.add(same.predicted_s);
  lost_s.add(same.lost_s);
}

void Tally::add(TallyRow row) {
  const auto [place, is_new] = places_.emplace(row.key(), rows_.size());
  if (is_new)
    rows_.push_back(std::move(row));
  else
    rows_[place->second].add(row);
}

TallyRow tally_row(const Workload& w, std::size_t op) {
  TallyRow row;
  if (op < w.name.size() && w.name[op].length > 0) row.name = valid_utf8(w.name_of(op));
  row.op_class = w.class_of(op);
  row.op_class.type = valid_utf8(row.op_class.type);
  row.op_class.category = valid_utf8(row.op_class.category);
  row.op_class.layer_share = row.op_class.prompt_tokens = 0;  // of a model's own estimate
  row.shape = w.shape_hash.empty() ? 0 : w.shape_hash[op];
  row.sizes = w.sizes_of(op);
  row.records = 1;
  std::size_t column = 0;
  const auto put = [](ExactSum& sum, double value) {
    const bool usable = std::abs(value) <= ExactSum::most;
    if (usable) sum.add(value);
    return usable;
  };
  for_each_column([&](const NumberColumn& c) {
    if (put(row.sums[column], at(w.*c.values, op, c.standard))) row.known |= 1u << column;
    ++column;
  });
  for (const Channel& channel : w.channels) {
    TallyRow::ChannelSum sum{valid_utf8(channel.name), channel.link, {}};
    if (put(sum.bytes, channel.bytes[op])) row.channels.push_back(std::move(sum));
  }
  sort_stably(row.channels, [](const auto& a, const auto& b) { return a.name < b.name; });
  return row;
}

}  // namespace roofline
