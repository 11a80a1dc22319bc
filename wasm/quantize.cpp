// build/wasm/quantize.wasm: plans of formats for language models, and models shared with a host, fetched with the first view of them.
#include <string_view>

#include "on_demand.hpp"
#include "session/questions/quantize/quantize_answers.hpp"

using namespace roofline::on_demand;

/// Reserved are a question, settings and a request.
EXPORT("ask") void ask(std::size_t question_size, std::size_t settings_size) {
  const std::string_view text = request;
  answer = roofline::answer_quantize(text.substr(0, question_size), text.substr(question_size, settings_size),
                                     text.substr(question_size + settings_size));
}
