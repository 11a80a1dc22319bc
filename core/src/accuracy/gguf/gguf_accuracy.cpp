#include <functional>
#include <limits>
#include <roofline/accuracy/gguf_accuracy.hpp>
#include <string_view>

#include "accuracy/arithmetic.hpp"
#include "accuracy/gguf/affine_fit.hpp"
#include "accuracy/gguf/scale_fit.hpp"

namespace roofline {
namespace {

/// Blocks that share numbers in FP16, and their least squared error.
struct GgufType {
  std::string_view id;
  std::size_t shared;  ///< values that share those numbers
  std::size_t block;   ///< values of a block
  std::function<double(const std::vector<std::span<const double>>& blocks)> least_noise;
};

/// `count` values: first, first + step, ...
std::vector<double> multipliers(double first, double step, int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(first + step * i);
  return out;
}

template <class Elements>
auto scalar(Elements elements, ScaleSearch search) {
  return [elements = std::move(elements), search = std::move(search)](const std::vector<std::span<const double>>& parts) {
    std::vector<ScalarBlock<Elements>> blocks;
    for (const std::span<const double> part : parts) blocks.emplace_back(elements, part);
    return least_noise(blocks, search);
  };
}

auto integers(double low, double high, std::vector<double> scales) {
  return scalar(IntegerElements{low, high}, {std::move(scales), std::max(0.15, 1 - 3 / high), 1.08, true});
}

auto code_book(std::vector<double> scales) {
  // The values of IQ4_NL, in 1/127 of the largest.
  static const std::vector<double> codes = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
  return scalar(CodeElements(codes), {std::move(scales), 0.55, 1.08, true});
}

auto affine(double most, double scales) {
  return [=](const std::vector<std::span<const double>>& parts) { return least_affine_noise(parts, {most, scales}); };
}

/// `grids`: one of them holds for a whole block.
auto grid(std::vector<GgufGrid> grids, GridSigns signs, std::vector<double> scales) {
  return [grids = std::move(grids), signs,
          search = ScaleSearch{std::move(scales), 0.15, 1.8, false}](const std::vector<std::span<const double>>& parts) {
    std::vector<const GgufGrid*> all;
    for (const GgufGrid& one : grids) all.push_back(&one);
    std::vector<GridBlock> blocks;
    for (const std::span<const double> part : parts) blocks.emplace_back(all, signs, part);
    return least_noise(blocks, search);
  };
}

std::vector<GgufType> all_types() {
  const std::vector<double> one = {1}, six_bits = multipliers(-32, 1, 64), halves = multipliers(0.5, 1, 16), odd = multipliers(1, 2, 8);
  constexpr double delta = 0.125;  // by which IQ1's grid is moved, up or down
  const GgufGrid up = gguf_grid("iq1").moved(delta), down = gguf_grid("iq1").moved(-delta);
  return {{"q4_0", 32, 32, integers(-8, 7, one)},
          {"q5_0", 32, 32, integers(-16, 15, one)},
          {"q8_0", 32, 32, integers(-127, 127, one)},
          {"q4_1", 32, 32, affine(15, 1)},
          {"q5_1", 32, 32, affine(31, 1)},
          {"q2_k", 256, 16, affine(3, 15)},
          {"q3_k", 256, 16, integers(-4, 3, six_bits)},
          {"q4_k", 256, 32, affine(15, 63)},
          {"q5_k", 256, 32, affine(31, 63)},
          {"q6_k", 256, 16, integers(-32, 31, multipliers(-128, 1, 256))},
          {"iq4_nl", 32, 32, code_book(one)},
          {"iq4_xs", 256, 32, code_book(six_bits)},
          {"iq3_xxs", 256, 32, grid({gguf_grid("iq3_xxs")}, GridSigns::even, halves)},
          {"iq3_s", 256, 32, grid({gguf_grid("iq3_s")}, GridSigns::free, multipliers(1, 2, 16))},
          {"iq2_xxs", 256, 32, grid({gguf_grid("iq2_xxs")}, GridSigns::even, halves)},
          {"iq2_xs", 256, 16, grid({gguf_grid("iq2_xs")}, GridSigns::even, halves)},
          {"iq2_s", 256, 16, grid({gguf_grid("iq2_s")}, GridSigns::free, halves)},
          {"iq1_s", 256, 32, grid({up, down}, GridSigns::none, odd)},
          {"iq1_m", 256, 16, grid({up.with(down)}, GridSigns::none, odd)},
          {"tq1_0", 256, 256, integers(-1, 1, one)},
          {"tq2_0", 256, 256, integers(-1, 1, one)}};
}

/// By FormatId; null: another format.
const GgufType* type_of(FormatId format) {
  static const std::vector<GgufType> types = all_types();
  const std::string& id = Formats::catalogue()[format].id;
  for (const GgufType& type : types)
    if (type.id == id) return &type;
  return nullptr;
}

/// Evenly spaced rows; longer ones are cut to gguf_sample values.
struct Rows {
  std::vector<double> values;
  std::size_t row = 0;
};
Rows spread_rows(const Values& all) {
  const std::uint64_t piece = std::min<std::uint64_t>(all.row, gguf_sample);
  if (all.size == 0 || piece == 0) return {};
  const std::uint64_t rows = all.size / all.row, taken = std::clamp<std::uint64_t>(gguf_sample / piece, 1, rows);
  Rows out{std::vector<double>(static_cast<std::size_t>(taken * piece)), static_cast<std::size_t>(piece)};
  for (std::uint64_t i = 0; i < taken; ++i)
    all.read(i * rows / taken * all.row, std::span(out.values).subspan(static_cast<std::size_t>(i * piece), out.row));
  for (double& v : out.values)
    if (!(v - v == 0)) v = 0;
  return out;
}

std::vector<double> with_gguf(std::vector<double> sqnr_db, const std::vector<double>& gguf) {
  for (const FormatId type : gguf_types()) sqnr_db[type] = gguf[type];
  return sqnr_db;
}

}  // namespace

const std::vector<FormatId>& gguf_types() {
  static const std::vector<FormatId> known_types = [] {
    std::vector<FormatId> out;
    for (std::size_t f = 0; f < Formats::catalogue().size(); ++f)
      if (type_of(static_cast<FormatId>(f))) out.push_back(static_cast<FormatId>(f));
    return out;
  }();
  return known_types;
}

double gguf_sqnr_db(FormatId format, std::span<const double> values, std::size_t row) {
  const GgufType* const type = type_of(format);
  if (!type || row % type->shared != 0 || values.size() % type->shared != 0) return unknown;
  double signal = 0, noise = 0;
  std::vector<std::span<const double>> blocks;
  for (std::size_t first = 0; first < values.size(); first += type->shared) {
    const std::span<const double> shared = values.subspan(first, type->shared);
    blocks.clear();
    for (std::size_t at = 0; at < shared.size(); at += type->block) blocks.push_back(shared.subspan(at, type->block));
    signal += signal_of(shared);
    noise += type->least_noise(blocks);
  }
  if (signal == 0) return unknown;
  constexpr double rounding = 1e-14;  // of sums of squares
  return noise <= rounding * signal ? std::numeric_limits<double>::infinity() : decibels(signal / noise);
}

std::vector<double> gguf_sqnr_db(const Values& values) {
  std::vector<double> out(Formats::catalogue().size(), unknown);
  const Rows rows = spread_rows(values);
  if (rows.row > 0)
    for (const FormatId format : gguf_types()) out[format] = gguf_sqnr_db(format, rows.values, rows.row);
  return out;
}

std::vector<double> gguf_sqnr_db(Sample sample) {
  std::vector<double> out(Formats::catalogue().size(), unknown);
  for (const FormatId format : gguf_types()) out[format] = gguf_sqnr_db(format, sample_values(sample).first(gguf_sample), sample_row);
  return out;
}

std::vector<AccuracyColumn> sample_columns() {
  std::vector<AccuracyColumn> columns;
  for (std::size_t s = 0; s < sample_count; ++s) {
    const auto sample = static_cast<Sample>(s);
    columns.push_back({to_string(sample), with_gguf(sqnr_table(sample), gguf_sqnr_db(sample))});
  }
  return columns;
}

MeasuredTensor measure_tensor(std::string file, const TensorInfo& tensor, std::string_view bytes) {
  const Values values = tensor_values(tensor, bytes);
  MeasuredTensor out{std::move(file), tensor, measure_accuracy(values)};
  out.accuracy.sqnr_db = with_gguf(std::move(out.accuracy.sqnr_db), gguf_sqnr_db(values));
  return out;
}

std::vector<FormatId> measured_formats() {
  std::vector<FormatId> formats = quantising_formats();
  formats.insert(formats.end(), gguf_types().begin(), gguf_types().end());
  return formats;
}

}  // namespace roofline
