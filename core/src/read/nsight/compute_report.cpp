// Nsight Compute's binary reports, .ncu-rep: blocks of sources, results and strings, each a protocol buffer message behind its length.
// NVIDIA's Customization Guide (Report File Format) has the layout, docs/formats/nsight.md what is read of it.
#include <algorithm>
#include <array>

#include "base/little_endian.hpp"
#include "read/formats.hpp"
#include "read/nsight/compute_launches.hpp"
#include "read/protobuf.hpp"

namespace roofline {
namespace {

using protobuf::Field, protobuf::Message, protobuf::Wire;

constexpr std::string_view magic("NVR\0", 4);

class ReportReader final : public RowsReader<WorkloadBuilder> {
 public:
  explicit ReportReader(const ReadOptions& options)
      : RowsReader(options.source_name, SourceFormat::nsight_compute_report, options.limits), longest_(options.longest_record) {}

  Result<void> read(TextWindow& window, bool last) override {
    while (!stopped_) {
      skip_ = window.skip(skip_);
      if (skip_ > 0) break;
      const std::string_view bytes = window.text();
      if (expects_ == Part::magic) {
        if (bytes.size() < magic.size()) break;
        window.drop(magic.size());
        expects_ = Part::file_header;
        continue;
      }
      if (bytes.size() < 4) break;
      const auto size = static_cast<std::size_t>(little_endian(bytes, 0, 4));
      if (expects_ == Part::source || expects_ == Part::range) {
        skip_ = 4 + std::uint64_t{size};
        next_part();
        continue;
      }
      if (size > longest_) {
        if (auto ok = stop(window, "a part of " + std::to_string(size) + " bytes: expected a smaller one"); !ok) return ok;
        break;
      }
      if (bytes.size() < 4 + size) break;
      if (!read_part(bytes.substr(4, size))) {
        const char* what = expects_ == Part::result ? "result" : "header";
        if (auto ok = stop(window, std::string("a damaged ") + what + ": expected a report of Nsight Compute 2020 or later"); !ok)
          return ok;
        break;
      }
      window.drop(4 + size);
      next_part();
    }
    if (stopped_) window.drop(window.text().size());
    if (!last) return {};
    if (!stopped_ && (skip_ > 0 || !window.text().empty() || expects_ != Part::block))
      if (auto ok = stop(window, "the report ends in the middle of a part: expected the whole file"); !ok) return ok;
    if (ranges_ > 0)
      rows_.note(Severity::warning, std::to_string(ranges_) + " results are of ranges, not of kernels (range or graph replay): left out");
    if (damaged_ > 0) rows_.note(Severity::warning, std::to_string(damaged_) + " metrics are damaged and left out");
    return all_.fill(rows_);
  }

  Workload take() override {
    if (!all_.device.name.empty()) rows_.workload().properties.emplace_back("Device", all_.device.name);
    return rows_.take();
  }

 private:
  enum class Part : std::uint8_t { magic, file_header, block, source, result, range };

  /// What came before the fault still counts.
  Result<void> stop(const TextWindow& window, const std::string& fault) {
    const std::string text = at(window) + ": " + fault;
    if (launches_ == 0) return fail(text);
    stopped_ = true;
    rows_.workload().broken_off = "the report is damaged after " + quantity(launches_, "kernel");
    rows_.note(Severity::error, text + "; the " + (launches_ == 1 ? "kernel" : std::to_string(launches_) + " kernels") + " before it " +
                                    (launches_ == 1 ? "is" : "are") + " read");
    return {};
  }

  static std::string at(const TextWindow& window) { return "byte " + std::to_string(window.source_offset(0)); }

  /// The parts of a block's payload follow each other: sources, results, results of ranges; what else its size covers is left out.
  void next_part() {
    if (expects_ == Part::file_header) return void(expects_ = Part::block);
    if (left_[0] > 0) return --left_[0], void(expects_ = Part::source);
    if (left_[1] > 0) return --left_[1], void(expects_ = Part::result);
    if (left_[2] > 0) return --left_[2], ++ranges_, void(expects_ = Part::range);
    expects_ = Part::block;
  }

  /// False where it is damaged.
  bool read_part(std::string_view bytes) {
    return expects_ == Part::file_header ? passes(bytes) : expects_ == Part::block ? read_block(bytes) : read_result(bytes);
  }

  static bool passes(std::string_view bytes) {
    Message message(bytes);
    for (Field field; message.next(field);) {
    }
    return !message.damaged();
  }

  bool read_block(std::string_view bytes) {
    Message block(bytes);
    for (Field field; block.next(field);) {
      if (field.is(1, Wire::varint)) left_[0] = field.value;
      if (field.is(2, Wire::varint)) left_[1] = field.value;
      if (field.is(7, Wire::varint)) left_[2] = field.value;
      if (field.is(4, Wire::bytes)) read_strings(field.bytes);
    }
    return !block.damaged();
  }

  /// A block without strings of its own uses those before it.
  void read_strings(std::string_view bytes) {
    std::vector<std::string> strings;
    Message table(bytes);
    for (Field field; table.next(field);)
      if (field.is(1, Wire::bytes)) strings.emplace_back(field.bytes);
    if (!strings.empty()) strings_ = std::move(strings);
  }

  bool read_result(std::string_view bytes) {
    nsight::Launch launch;
    std::string mangled, function;
    Message result(bytes);
    for (Field field; result.next(field);) {
      if (field.is(5, Wire::bytes)) mangled = field.bytes;
      if (field.is(6, Wire::bytes)) function = field.bytes;
      if (field.is(7, Wire::bytes)) launch.kernel = field.bytes;
      if (field.is(10, Wire::bytes)) launch.grid = extent(field.bytes);
      if (field.is(11, Wire::bytes)) launch.block = extent(field.bytes);
      if (field.is(13, Wire::bytes)) read_metric(field.bytes, launch.counters);
    }
    if (result.damaged()) return false;
    if (launch.kernel.empty()) launch.kernel = function.empty() ? mangled : function;
    all_.run("").launches.push_back(std::move(launch));
    ++launches_;
    return true;
  }

  static std::string extent(std::string_view bytes) {
    std::array<std::uint64_t, 3> sides = {1, 1, 1};
    Message message(bytes);
    for (Field field; message.next(field);)
      if (field.wire == Wire::varint && field.number >= 1 && field.number <= 3) sides[field.number - 1] = field.value;
    return "(" + std::to_string(sides[0]) + ", " + std::to_string(sides[1]) + ", " + std::to_string(sides[2]) + ")";
  }

  void read_metric(std::string_view bytes, nsight::Counters& counters) {
    std::uint64_t name = ~0ull;
    std::string_view value;
    Message metric(bytes);
    for (Field field; metric.next(field);) {
      if (field.is(1, Wire::varint)) name = field.value;
      if (field.is(2, Wire::bytes)) value = field.bytes;
    }
    Message number(value);
    Field field;
    if (metric.damaged() || name >= strings_.size() || (!value.empty() && !number.next(field))) return void(++damaged_);
    if (value.empty()) return;
    const std::string& called = strings_[static_cast<std::size_t>(name)];
    if (field.is(1, Wire::bytes)) return nsight::take_text(called, field.bytes, all_.device);
    const bool real = field.is(2, Wire::fixed32) || field.is(3, Wire::fixed64);
    const bool whole = field.is(4, Wire::varint) || field.is(5, Wire::varint);
    if (!real && !whole) return void(++damaged_);
    static_cast<void>(nsight::take_number(called, real ? field.real() : static_cast<double>(field.value), {}, counters, all_.device));
  }

  const std::size_t longest_;
  nsight::Launches all_;
  Part expects_ = Part::magic;
  std::array<std::uint64_t, 3> left_ = {0, 0, 0};  // of the block: sources, results, results of ranges
  std::uint64_t skip_ = 0, ranges_ = 0;
  std::size_t launches_ = 0, damaged_ = 0;
  bool stopped_ = false;
  std::vector<std::string> strings_;
};

}  // namespace

bool detects_nsight_compute_report(std::string_view bytes) { return bytes.starts_with(magic); }

std::unique_ptr<FormatReader> open_nsight_compute_report(const ReadOptions& options) { return std::make_unique<ReportReader>(options); }

}  // namespace roofline
