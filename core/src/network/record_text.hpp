// One operation of a commands.json, member by member.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofline {

class RecordText {
 public:
  /// `type`: an operator's id, or the file's own type where no operator is known for it.
  explicit RecordText(std::string_view type) : type_(type) {}

  RecordText& set(std::string_view key, double number);  ///< NaN: left out
  RecordText& set(std::string_view key, bool value);
  RecordText& set(std::string_view key, std::string_view text);
  RecordText& set(std::string_view key, const char* text) { return set(key, std::string_view(text)); }
  RecordText& set(std::string_view key, const std::vector<double>& list);
  RecordText& set(std::string_view key, const std::vector<std::vector<double>>& lists);
  /// Adds to the member's number; without such a member, sets it.
  RecordText& add(std::string_view key, double number);
  /// Replaces the member's text, or adds the member.
  RecordText& replace(std::string_view key, std::string_view text);
  /// The text of a member, such as a format's id; empty: there is none.
  [[nodiscard]] std::string_view text(std::string_view key) const;
  /// Behind the node's name, where a node comes to several operations: "scores".
  RecordText& part(std::string_view name) {
    part_ = name;
    return *this;
  }

  [[nodiscard]] const std::string& type() const { return type_; }
  [[nodiscard]] const std::string& part() const { return part_; }
  [[nodiscard]] const std::string& members() const { return members_; }  ///< ",\"stride\":[1,1]": all but type and name

 private:
  void key(std::string_view name);
  std::string type_, part_, members_;
};

/// JSON's form of a text, quotes included.
[[nodiscard]] std::string json_quoted(std::string_view text);

}  // namespace roofline
