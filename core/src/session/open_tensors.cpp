#include "session/open_tensors.hpp"

#include <roofline/accuracy/gguf_accuracy.hpp>

#include "session/failed.hpp"

namespace roofline {

std::string OpenTensors::open(std::string name, std::string_view start, std::uint64_t file_size) {
  const std::uint64_t header = tensor_header_size(start, file_size);
  if (header == 0 || (start.size() < header && start.size() < file_size)) return dump(Json{{"header_bytes", header}});
  Result<TensorFile> file = read_tensor_header(start, file_size);
  if (!file) return failed(file.error());
  name_ = std::move(name);
  file_ = std::move(*file);
  return tensors_json(file_);
}

std::string OpenTensors::unpack(std::size_t index, std::string_view start) {
  if (index >= file_.tensors.size() || !file_.tensors[index].packed) return failed({"expected a packed tensor", 0, 0, {}});
  TensorInfo& tensor = file_.tensors[index];
  if (const Result<void> read = read_packed(tensor, start); !read) return failed(read.error());
  return tensors_json({file_.format, {tensor}});
}

std::string OpenTensors::accuracy(std::string_view name, std::string_view bytes) const {
  const Result<const TensorInfo*> tensor = find_tensor(file_, name);
  if (!tensor) return failed(tensor.error());
  if (bytes.size() != (*tensor)->bytes)
    return failed({"expected the " + std::to_string((*tensor)->bytes) + " bytes of one tensor", 0, 0, {}});
  const MeasuredTensor measured = measure_tensor(name_, **tensor, bytes);
  return accuracy_json({{"tensor", measured.accuracy.sqnr_db}}, measured_formats(), &measured);
}

}  // namespace roofline
