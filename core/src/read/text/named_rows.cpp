#include "read/text/named_rows.hpp"

#include <algorithm>
#include <roofline/base/number.hpp>

#include "read/formats.hpp"

namespace roofline {

Result<void> NamedRows::read(TextWindow& window, bool last, std::size_t longest, const Use& use) {
  const bool begins = !csv_;
  if (begins)
    csv_.emplace(window.text(), last);
  else
    csv_->reset(window.text(), window.start(), last);
  for (;;) {
    const auto more = csv_->next();
    if (!more) return Unexpected(more.error());
    if (!*more) break;
    if (csv_->row_end() - csv_->row_begin() > longest) return Unexpected(too_long(window.lines(), csv_->row_begin(), longest));
    if (!header_.empty()) {
      if (!is_header()) use.row();
      continue;
    }
    for (const CsvField& field : csv_->fields()) {
      index_.emplace(field.text(), static_cast<int>(header_.size()));
      header_.push_back(field.text());
    }
    if (auto ok = use.header(); !ok) return ok;
  }
  window.drop(csv_->position());
  return {};
}

bool NamedRows::is_header() const {
  const std::vector<CsvField>& fields = csv_->fields();
  return std::equal(fields.begin(), fields.end(), header_.begin(), header_.end(),
                    [](const CsvField& field, const std::string& name) { return field.text() == name; });
}

int NamedRows::find(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names)
    if (const auto found = index_.find(std::string(name)); found != index_.end()) return found->second;
  return no_column;
}

std::string NamedRows::text(int column) const {
  return column == no_column || static_cast<std::size_t>(column) >= csv_->fields().size()
             ? std::string()
             : csv_->fields()[static_cast<std::size_t>(column)].text();
}

double NamedRows::number(int column) const {
  if (column == no_column || static_cast<std::size_t>(column) >= csv_->fields().size()) return unknown;
  return csv_->number(csv_->fields()[static_cast<std::size_t>(column)]).value_or(unknown);
}

std::string_view first_line(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return text.substr(begin, text.find_first_of("\r\n", begin) - begin);
}

}  // namespace roofline
