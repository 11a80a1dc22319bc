// Any bytes as the start of a GGUF file: refused with a reason, too short, or a model that can be read and asked about.
#include <cmath>
#include <roofline/llm/gguf.hpp>
#include <roofline/llm/model.hpp>

#include "check.hpp"

using namespace roofline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const std::uint64_t file_size : {std::uint64_t{size}, std::uint64_t{1} << 40}) {
    const GgufStart file{"model.gguf", text, file_size};
    const auto document = gguf_model({&file, 1});
    if (!document) {
      check(!document.error().message.empty());
      continue;
    }
    if (!*document) {
      check(size < file_size);
      continue;
    }
    const Result<Model> model = parse_model(**document);
    check(model.has_value());
    check(std::isfinite(parameters(*model).total()));
    for (std::size_t i = 0; i < weight_parts; ++i) check(model->published.bytes(static_cast<WeightPart>(i)) >= 0);
  }
  return 0;
}
