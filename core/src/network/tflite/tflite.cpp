#include <algorithm>

#include "network/readers.hpp"
#include "network/tflite/sizing.hpp"

namespace roofline {
namespace {

class TfliteNetwork final : public Network {
 public:
  explicit TfliteNetwork(tflite::Model model) : model_(std::move(model)) {}

  Result<void> prepare(tflite::FlatBuffer& file) {
    Result<SizedNetwork> sized = tflite::size_network(file, model_);
    if (!sized) return Unexpected(sized.error());
    sized_ = std::move(*sized);
    return {};
  }

  [[nodiscard]] std::vector<Dimension> open_dimensions() const override { return {}; }
  [[nodiscard]] SizedNetwork at(const std::vector<Dimension>&) const override { return sized_; }

 private:
  tflite::Model model_;  // has the names that sized_ shows
  SizedNetwork sized_;
};

}  // namespace

bool is_tflite(std::string_view start) { return start.size() >= 8 && start.substr(4, 4) == "TFL3"; }

Result<std::unique_ptr<Network>> open_tflite(const ByteSource& source) {
  const Result<std::string> start = source.read(0, std::min<std::uint64_t>(8, source.size()));
  if (!start) return Unexpected(start.error());
  if (!is_tflite(*start)) return fail("the file does not begin as a TFLite model does: expected TFL3 from byte 4 on");
  tflite::FlatBuffer file(source);
  Result<tflite::Model> model = tflite::read_model(file);
  if (!model) return Unexpected(model.error());
  auto network = std::make_unique<TfliteNetwork>(std::move(*model));
  if (const Result<void> prepared = network->prepare(file); !prepared) return Unexpected(prepared.error());
  return std::unique_ptr<Network>(std::move(network));
}

}  // namespace roofline
