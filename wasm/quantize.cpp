// build/wasm/quantize.wasm: plans of formats for language models, models shared with a host, and what rounding to GGUF's types loses,
// fetched with the first view of them.
#include <string_view>

#include "on_demand.hpp"
#include "open_file.hpp"
#include "session/questions/quantize/quantize_answers.hpp"

using namespace roofline::on_demand;

/// Reserved are a question, settings and a request.
EXPORT("ask") void ask(std::size_t question_size, std::size_t settings_size) {
  const std::string_view text = request;
  answer = roofline::answer_quantize(text.substr(0, question_size), text.substr(question_size, settings_size),
                                     text.substr(question_size + settings_size));
}

/// Reserved is which tensor of a file of `size` bytes (answer_tensor_accuracy()).
EXPORT("tensor_accuracy") void tensor_accuracy(double size) { answer = roofline::answer_tensor_accuracy(OpenFile(size), request); }
