#include "read/table/columns/header_words.hpp"

#include "base/letters.hpp"

namespace roofline {

bool is_one_of(std::string_view word, std::string_view list) {
  for (std::size_t at = word.empty() ? std::string_view::npos : list.find(word); at != std::string_view::npos; at = list.find(word, at + 1))
    if ((at == 0 || list[at - 1] == ' ') && (at + word.size() == list.size() || list[at + word.size()] == ' ')) return true;
  return false;
}

std::vector<std::string> header_words(std::string_view header) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  std::vector<std::string> out;
  std::string word;
  const auto close = [&] {
    if (word == "type" && !out.empty() && out.back() == "data") out.pop_back(), word = "datatype";
    if (!word.empty()) out.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < header.size(); ++i) {
    const char c = header[i];
    const std::string_view two = header.substr(i, 2);
    // Micro sign or mu in UTF-8, micro sign in Latin-1, or a replacement character: "(?s)" is microseconds, not seconds.
    const std::size_t micro = two == "\xc2\xb5" || two == "\xce\xbc"         ? 2
                              : c == '\xb5' || (two == "?s" && word.empty()) ? 1
                              : header.substr(i, 4) == "\xef\xbf\xbds"       ? 3
                                                                             : 0;
    if (micro > 0) {
      word += 'u';
      i += micro - 1;
    } else if (is_lower(c) || is_upper(c) || (c >= '0' && c <= '9')) {
      const bool begins = is_upper(c) && i > 0 && is_lower(header[i - 1]) && i + 1 < header.size() && is_lower(header[i + 1]);
      if (begins) close();  // "aB", not "GFLOPs"
      word += lower(c);
    } else {
      close();
      if (c == '%') out.emplace_back("%");
      if (c == '/' && !out.empty()) out.emplace_back("per");
    }
  }
  close();
  return out;
}

bool is_prediction(std::string_view word) {
  return is_one_of(word, "predicted prediction predictions theory theoretical expected estimated ideal");
}

std::string without_statistic(std::string_view header) {
  std::string out;
  for (const std::string& word : header_words(header))
    if (!is_one_of(word,
                   "std stddev stdev deviation dev standard min minimum max maximum mean avg average median p50 first best sum total"))
      out += word + ' ';
  return out;
}

}  // namespace roofline
