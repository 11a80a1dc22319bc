// Any text as what a link of the page holds: a source that the core builds, settings and a view, as a stranger may have typed them. Each is
// refused with a message or taken; every answer after it is JSON.
#include <nlohmann/json.hpp>
#include <roofline/session/session.hpp>

#include "check.hpp"
#include "session/questions/questions.hpp"

using namespace roofline;
using nlohmann::json;

namespace {

constexpr std::string_view two_operations = R"([
  {"type": "ID_MM", "name": "proj", "data_type": "FP16", "input_mat1": [64, 512], "input_mat2": [512, 1024], "time_us": 9},
  {"type": "ID_ADD", "name": "sum", "data_type": "FP16", "input_self": [64, 1024], "input_other": [64, 1024], "time_us": 3}])";

/// JSON whose "error", where it has one, says something.
void check_answer(const std::string& text) {
  const json answer = json::parse(text, nullptr, false);
  check(!answer.is_discarded());
  if (answer.is_object() && answer.contains("error")) check(!answer["error"].dump().empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Session session;
  session.start("two.json", two_operations.size());
  two_operations.copy(session.begin(two_operations.size(), "two.json"), two_operations.size());
  check(session.feed() == "{}");
  check_answer(session.finish());

  // Text that is no link goes to each of them as it is.
  const json link = json::parse(text, nullptr, false);
  const bool parts = link.is_object();
  const auto part = [&](const char* name) {
    return parts ? link.value(name, json::object()).dump(-1, ' ', false, json::error_handler_t::replace) : text;
  };
  if (parts && link.contains("source") && link["source"].is_object()) {
    const json& source = link["source"];
    const std::string kind = source.contains("built") && source["built"].is_string() ? source["built"].get<std::string>() : "model";
    check_answer(session.build(kind, source.value("request", json::object()).dump(-1, ' ', false, json::error_handler_t::replace)));
  }
  check_answer(session.configure(part("settings")));
  check_answer(session.config());
  check_answer(session.view(part("view")));
  const Session::Screen screen = session.frame();
  check_answer(screen.json);
  each_column(screen.frame, [](const char*, const auto&, const char*) {});
  check_answer(session.detail(0, ""));
  const Question& question = questions()[text.size() % questions().size()];  // one for each input, all of them over many
  check_answer(session.ask(question.name, part("ask")).json);
  if (one_in(32, text)) {
    std::string drawing, document;
    check(session.write("svg", [&](std::string_view piece) { drawing += piece; }).has_value());
    check(finite_drawing(drawing));
    check(session.write("json", [&](std::string_view piece) { document += piece; }).has_value());
    check_answer(document);
  }
  return 0;
}
