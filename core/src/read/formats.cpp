#include "read/formats.hpp"

#include <vector>

namespace roofline {

const InputFormat* find_format(std::string_view text) {
  static const std::vector<InputFormat> formats = {
      {"XProf roofline_model", detects_xprof, open_xprof},
      {results_source, detects_results, open_results},
      {"kernels", detects_kernels, open_kernels},  // last: any table with columns
  };
  for (const InputFormat& format : formats)
    if (format.detects(text)) return &format;
  return nullptr;
}

struct Reader::State {
  std::unique_ptr<FormatReader> format;
};

Reader::Reader(std::string text, ReadOptions options) : state_(std::make_unique<State>()) {
  const InputFormat* known = find_format(text);
  state_->format = (known ? known->open : open_commands)(std::move(text), std::move(options));
}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;

Result<bool> Reader::step(std::size_t bytes) { return state_->format->step(bytes); }
std::size_t Reader::position() const { return state_->format->position(); }
std::size_t Reader::size() const { return state_->format->size(); }
Workload Reader::take() { return state_->format->take(); }

Result<Workload> read(std::string text, const ReadOptions& options) {
  Reader reader(std::move(text), options);
  if (auto more = reader.step(static_cast<std::size_t>(-1)); !more) return Unexpected(more.error());
  return reader.take();
}

}  // namespace roofline
