// What Roofline itself wrote about operations: an answer, of whose operations the shapes are gone. Only runs added up open again.
#include <roofline/base/text.hpp>

#include "read/formats.hpp"

namespace roofline {
namespace {

/// The value of a member of text in its first bytes; empty where it is not there.
std::string_view text_member(std::string_view head, std::string_view key) {
  std::size_t at = head.find(key);
  if (at == std::string_view::npos) return {};
  at = head.find_first_not_of(" \t\r\n:", at + key.size());
  if (at == std::string_view::npos || head[at] != '"') return {};
  const std::size_t end = head.find('"', at + 1);
  return end == std::string_view::npos ? std::string_view() : head.substr(at + 1, end - at - 1);
}

class AnswerReader final : public RowsReader<WorkloadBuilder> {
 public:
  AnswerReader() : RowsReader("", SourceFormat::none) {}
  Result<void> read(TextWindow& window, bool) override {
    const std::string_view head = window.text().substr(0, 4096), source = text_member(head, "\"source\"");
    return Unexpected(window.lines().at(0, "Roofline wrote this file (" + printable(text_member(head, "\"schema\"")) +
                                               "): open the one that it was made from" +
                                               (source.empty() ? "" : ", \"" + printable(source) + "\"")));
  }
};

}  // namespace

bool detects_answer(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  const std::string_view head = text.substr(first, 64);
  return text_member(head, "\"schema\"").substr(0, 9) == "roofline-";
}

std::unique_ptr<FormatReader> open_answer(const ReadOptions&) { return std::make_unique<AnswerReader>(); }

}  // namespace roofline
