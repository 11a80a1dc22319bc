// What a dropped file is, by content: the names of the members at its top.
#include <algorithm>
#include <array>
#include <roofline/machine/machine_import.hpp>
#include <roofline/scenario/settings.hpp>
#include <roofline/session/detect.hpp>

#include "read/formats.hpp"
#include "read/text/json_text.hpp"

namespace roofline {
namespace {

/// Collects the top object's member names and stops as soon as one decides.
struct TopMembers : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, TopMembers> {
  explicit TopMembers(const JsonText& t) : text(t) {}
  const JsonText& text;
  FileKind kind = FileKind::unknown;
  int depth = 0;
  bool ops_pending = false;
  bool only_settings = true;

  bool Key(const char*, rapidjson::SizeType length, bool) {
    if (depth != 1) return true;
    const std::string_view name = text.string(length);
    constexpr std::array machine = {"peaks", "memories", "links", "empirical"};
    constexpr std::array model = {"model_type", "architectures", "num_hidden_layers", "n_layer"};
    ops_pending = name == "ops" || name == "commands";
    if (name == "type") kind = FileKind::operations;
    if (std::find(model.begin(), model.end(), name) != model.end() && kind == FileKind::unknown) kind = FileKind::model;
    if (std::find(machine.begin(), machine.end(), name) != machine.end() && kind != FileKind::config) kind = FileKind::machine;
    if (is_settings_key(name) && name != "peaks") kind = FileKind::config;
    only_settings = only_settings && is_settings_key(name);
    return kind != FileKind::operations;
  }
  bool StartObject() {
    if (depth == 1 && ops_pending) return kind = FileKind::registry, false;
    return ++depth <= max_json_depth;
  }
  bool EndObject(rapidjson::SizeType) { return --depth, true; }
  bool StartArray() {
    if (depth == 0 || (depth == 1 && ops_pending)) return kind = FileKind::operations, false;
    return ++depth <= max_json_depth;
  }
  bool EndArray(rapidjson::SizeType) { return --depth, true; }
};

}  // namespace

FileKind detect(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool xml = first != std::string_view::npos && text[first] == '<';
  if (xml && text.substr(first, 1024).find("<clpeak") != std::string_view::npos) return FileKind::machine;
  if (is_ert_sum(text) || is_rocprof_roofline(text) || is_stream_log(text)) return FileKind::machine;
  if (find_format(text)) return FileKind::operations;
  if (xml) return FileKind::unknown;
  JsonText json(text);
  TopMembers members(json);
  rapidjson::Reader parser;
  parser.Parse<json_flags>(json, members);
  // A machine has peaks too, but never nothing else.
  return members.kind == FileKind::machine && members.only_settings ? FileKind::config : members.kind;
}

}  // namespace roofline
