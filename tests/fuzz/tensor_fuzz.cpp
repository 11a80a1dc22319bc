// Any bytes as a tensor file: refused with a reason, or every tensor it lists lies within it and can be rounded to every format. And as the
// tensors of a checkpoint: refused with a reason, or a model that can be read.
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/base/number.hpp>
#include <roofline/llm/checkpoint.hpp>
#include <roofline/llm/model.hpp>
#include <roofline/tensor/tensor.hpp>

#include "check.hpp"

using namespace roofline;

namespace {

void open_as_checkpoint(std::string_view text) {
  const CheckpointFile file{"model.safetensors", text, text.size()};
  const auto document = checkpoint_model(R"({"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
                                             "intermediate_size": 16, "vocab_size": 32})",
                                         "", {&file, 1});
  if (!document)
    check(!document.error().message.empty());
  else
    check(parse_model(*document).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  open_as_checkpoint(text);
  const std::uint64_t header = tensor_header_size(text.substr(0, tensor_start), size);
  auto file = read_tensor_header(text.substr(0, header == 0 ? size : header), size);
  if (!file) {
    check(!file.error().message.empty());
    return 0;
  }
  for (TensorInfo& listed : file->tensors) {
    if (listed.packed) {  // any bytes may be what it unpacks to; these are at hand
      const PackedPart packed = *listed.packed;
      check(packed.offset <= size && packed.bytes <= size - packed.offset);
      if (read_packed(listed, text.substr(packed.offset, packed.bytes)))
        check(listed.offset <= packed.size && listed.bytes <= packed.size - listed.offset);
      continue;
    }
    const auto tensor = find_tensor(*file, listed.name);
    if (!tensor) {
      check(!tensor.error().message.empty());
      continue;
    }
    check((*tensor)->offset <= size && (*tensor)->bytes <= size - (*tensor)->offset);
    const Accuracy accuracy = measure_accuracy(tensor_values(**tensor, text.substr((*tensor)->offset, (*tensor)->bytes)));
    check(accuracy.measured == (*tensor)->elements() && accuracy.not_finite <= accuracy.measured);
    for (const FormatId format : quantising_formats()) {
      const double sqnr = accuracy.sqnr_db[format];
      check(!known(sqnr) || sqnr > -1e-6);  // no rounding makes more noise than 0 for every number would
    }
  }
  return 0;
}
