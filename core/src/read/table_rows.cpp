#include "read/table_rows.hpp"

#include <algorithm>

#include "read/columns.hpp"

namespace roofline {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

}  // namespace

TableRows::TableRows(std::string_view text, bool last) : text_(text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '[' || text[first] == '{'))
    json_.emplace(text, last);
  else
    csv_.emplace(text, last);
}

Result<void> TableRows::start() {
  if (json_) {
    auto ok = json_->start();
    header_ = renamed_.empty() ? json_->columns() : renamed_;
    return ok;
  }
  csv_->seek(0);
  const auto more = csv_->next();
  if (!more) return Unexpected(more.error());
  header_.clear();
  if (*more)
    for (const CsvField& field : csv_->fields()) header_.push_back(trimmed(field.text()));
  if (!renamed_.empty()) header_ = renamed_;
  return {};
}

bool TableRows::rename(const std::vector<std::pair<std::string, std::string>>& columns, std::string& missing) {
  std::vector<std::string> renamed = header_;
  std::vector<bool> chosen(header_.size());
  for (const auto& [from, to] : columns) {
    const auto at = std::find(header_.begin(), header_.end(), from);
    if (at == header_.end()) return missing = from, false;
    const auto place = static_cast<std::size_t>(at - header_.begin());
    renamed[place] = to;
    chosen[place] = true;
  }
  for (std::size_t i = 0; i < header_.size(); ++i)
    for (std::size_t other = 0; other < header_.size() && !chosen[i]; ++other)
      if (const Role role = meaning_of(renamed[i]).role; chosen[other] && role != Role::none && meaning_of(renamed[other]).role == role)
        renamed[i].clear();
  header_ = renamed_ = std::move(renamed);
  return true;
}

void TableRows::reset(std::string_view text, LineStart start, bool last) {
  text_ = text;
  if (csv_)
    csv_->reset(text, start, last);
  else
    json_->reset(text, start, last);
}

}  // namespace roofline
