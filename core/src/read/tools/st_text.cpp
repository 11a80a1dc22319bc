// What ST Edge AI writes of a network and of its run. docs/formats/npu.md has the rules.
#include <algorithm>
#include <roofline/base/number.hpp>

#include "base/json.hpp"
#include "base/letters.hpp"
#include "read/tools/text_rows.hpp"
#include "read/tools/tool_tables.hpp"

namespace roofline {

/// network_c_info.json: {"graphs": [{"nodes": [{"name", "macc"}]}]}
std::string csv_of_st_info(std::string_view text) {
  CsvRows rows("name,macs");
  const Result<Json> json = parse_json(text, "ST Edge AI's network_c_info.json");
  if (!json) return {};
  for (const Json& graph : member(*json, "graphs"))
    for (const Json& node : member(graph, "nodes"))
      if (number_of(member(node, "macc")) >= 0) rows.add({text_of(member(node, "name")), exact(number_of(member(node, "macc")))});
  return rows.text();
}

/// "1  conv2d_1 (Conv2D, CONV_2D)  [b:1,h:48,w:32,c:32]  320/416  442,400  transpose_0 | conv2d_oi8[1]", and further layers of the same
/// node without its number; before version 7 "0   conv2d_0 (Conv2D)  (48, 48, 8)  224  input  534,536  248 (i)", with the work in a column.
std::string csv_of_st_report(std::string_view text) {
  CsvRows rows("name,type,macs,dtype");
  const char* const format = contains(text, "ss/sa") || contains(text, "ai_i8")    ? "int8"
                             : contains(text, "f32") || contains(text, "ai_float") ? "fp32"
                                                                                   : "";
  std::size_t macc = 0, rom = 0;  // columns of the older table
  bool within = false;
  for (const std::string_view line : lines_of(text)) {
    if (contains(line, "layer (type") && contains(line, "macc")) {
      within = true;
      macc = line.find("macc"), rom = line.find("rom");
      continue;
    }
    if (contains(line, "macc=")) within = false;  // the sum below the table
    const std::size_t open = line.find('('), close = line.find(')', open);
    const std::string_view before = without_blanks(line.substr(0, open));
    const std::size_t bar = std::min(line.find('|'), line.size());
    if (!within || close == std::string_view::npos || before.empty() || open > bar) continue;
    const bool old = rom != std::string_view::npos;
    const std::size_t begin = std::min(old ? macc : close + 1, line.size()), end = old ? std::min(rom, line.size()) : bar;
    double macs = 0;  // the last number before the connection; a layer without work has none
    for (const std::string& word : words_of(line.substr(begin, end < begin ? 0 : end - begin)))
      if (known(number_in(word))) macs = number_in(word);
    const std::vector<std::string_view> type = trimmed_cells(line.substr(open + 1, close - open - 1), ',');
    rows.add({before.substr(before.rfind(' ') + 1), type.back().empty() ? type.front() : type.back(), exact(macs),
              contains(line.substr(bar), "i8") ? "int8" : format});
  }
  return rows.text();
}

/// "c_id  m_id  type  dur (ms)  %  cumul  name", and a row for each; "n/a" and "total" are none.
std::string csv_of_st_profile(std::string_view text) {
  CsvRows rows("name,type,time_ms");
  bool within = false;
  for (const std::string_view line : lines_of(text)) {
    if (contains(line, "c_id") && contains(line, "dur (ms)")) within = true;
    const std::vector<std::string> words = words_of(line);
    if (!within || words.size() < 6 || !known(number_in(words[0]))) continue;
    std::size_t time = 2;
    std::string type;
    while (time < words.size() && !known(number_in(words[time]))) type += (type.empty() ? "" : " ") + words[time++];
    if (time < words.size()) rows.add({words.back(), type, words[time]});
  }
  return rows.text();
}

}  // namespace roofline
