// build/wasm/quantize.wasm: plans of formats for language models, models shared with a host, and what rounding samples and tensors to every
// format loses, fetched with the first view of them.
#include <string>
#include <string_view>

#include "on_demand.hpp"
#include "session/open_tensors.hpp"
#include "session/questions/quantize/quantize_answers.hpp"

using namespace roofline::on_demand;

namespace {
roofline::OpenTensors tensors;
}

/// Reserved are a question, settings and a request.
EXPORT("ask") void ask(std::size_t question_size, std::size_t settings_size) {
  const std::string_view text = request;
  answer = roofline::answer_quantize(text.substr(0, question_size), text.substr(question_size, settings_size),
                                     text.substr(question_size + settings_size));
}

/// Opens a file of tensors: reserved are its name and its first bytes.
EXPORT("open_tensors") void open_tensors(std::size_t name_size, double file_size) {
  answer = tensors.open(request.substr(0, name_size), std::string_view(request).substr(name_size), static_cast<std::uint64_t>(file_size));
}

/// Reserved are the first bytes that a packed tensor unpacks to.
EXPORT("unpack_tensor") void unpack_tensor(std::size_t index) { answer = tensors.unpack(index, request); }

/// Reserved are a tensor's name and its bytes.
EXPORT("tensor_accuracy") void tensor_accuracy(std::size_t name_size) {
  const std::string_view text = request;
  answer = tensors.accuracy(text.substr(0, name_size), text.substr(name_size));
}
