// What rounding to GGUF's types loses, against llama.cpp's own quantiser, closed forms and hand-written blocks.
#include <cmath>
#include <roofline/accuracy/gguf_accuracy.hpp>

#include "accuracy/gguf/grids.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

FormatId format(const char* name) { return *Formats::catalogue().find(name); }

std::span<const double> gaussian(std::size_t n) { return sample_values(Sample::gaussian).first(n); }

double db(const char* type, const std::vector<double>& values) { return gguf_sqnr_db(format(type), values, values.size()); }

/// A point's elements times a scale, with the sign of element k negative where bit k of `signs` is set.
void add_point(std::vector<double>& values, std::string_view grid, std::size_t point, double scale, unsigned signs) {
  const GgufGrid& g = gguf_grid(grid);
  for (std::size_t k = 0; k < g.dimension; ++k)
    values.push_back(g.points[point * g.dimension + k] * scale * ((signs >> k & 1) != 0 ? -1 : 1));
}

}  // namespace

TEST_CASE("GGUF's types round as llama.cpp's quantiser does, or better", "[accuracy]") {
  // SQNR in dB that ggml_quantize_chunk() of llama.rn 0.4.3 reaches on the first 8,192 values of the Gaussian sample in rows of 4,096, with
  // an importance matrix of ones.
  struct Reference {
    const char* type;
    double db;
  };
  const Reference references[] = {{"q4_0", 21.659},   {"q4_1", 23.157},   {"q5_0", 27.728},    {"q5_1", 29.363},  {"q8_0", 45.371},
                                  {"q2_k", 11.426},   {"q3_k", 16.774},   {"q4_k", 23.063},    {"q5_k", 28.910},  {"q6_k", 35.203},
                                  {"iq4_nl", 22.424}, {"iq4_xs", 22.350}, {"iq3_xxs", 14.738}, {"iq3_s", 17.246}, {"iq2_xxs", 9.243},
                                  {"iq2_xs", 10.460}, {"iq2_s", 12.017},  {"iq1_s", 6.301},    {"iq1_m", 6.929}};
  for (const Reference& reference : references) {
    CAPTURE(reference.type);
    const double found = gguf_sqnr_db(format(reference.type), gaussian(8192), sample_row);
    CHECK(found > reference.db - 0.1);
    CHECK(found < reference.db + 1.5);
  }
  CHECK(gguf_types().size() == std::size(references) + 2);
}

TEST_CASE("no type is better than its bits allow", "[accuracy]") {
  for (const FormatId type : gguf_types()) {
    const Format& f = Formats::catalogue()[type];
    CAPTURE(f.id);
    // The rate-distortion function of normally distributed numbers (Shannon, 1959): 20 log10 2 dB per bit.
    CHECK(gguf_sqnr_db(type, gaussian(32768), sample_row) < 20 * std::log10(2.0) * f.effective_bits());
  }
}

TEST_CASE("ternary types reach the error of the best three levels", "[accuracy]") {
  // Max, "Quantizing for minimum distortion" (1960), table I: three levels leave 0.1902 of a normal variable's variance.
  const double three_levels = -10 * std::log10(0.1902);
  CHECK(gguf_sqnr_db(format("tq1_0"), gaussian(32768), sample_row) == Approx(three_levels).margin(0.1));
  CHECK(gguf_sqnr_db(format("tq2_0"), gaussian(32768), sample_row) == gguf_sqnr_db(format("tq1_0"), gaussian(32768), sample_row));
}

TEST_CASE("blocks that a type can state are exact", "[accuracy]") {
  std::vector<double> q4_0, q8_0, q6_k, q4_k, iq4_nl;
  for (int i = 0; i < 32; ++i) {
    q4_0.push_back(0.25 * (i % 16 - 8));
    q8_0.push_back(0.5 * (i == 0 ? 127 : i * 4 - 60));
  }
  const int codes[] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
  for (int i = 0; i < 32; ++i) iq4_nl.push_back(0.125 * codes[i % 16]);
  for (int i = 0; i < 256; ++i) {
    const int block = i / 16;
    q6_k.push_back(0.0078125 * (block == 0 ? 127 : 100 - 5 * block) * (i % 16 * 4 - 32));
    const int wide = i / 32;
    q4_k.push_back(0.5 * (wide == 0 ? 63 : 20 + wide) * (i % 16) - 0.25 * (wide == 0 ? 63 : 10 + wide));
  }
  for (const auto& [type, values] :
       {std::pair("q4_0", q4_0), std::pair("q8_0", q8_0), std::pair("q6_k", q6_k), std::pair("q4_k", q4_k), std::pair("iq4_nl", iq4_nl)}) {
    CAPTURE(type);
    CHECK(std::isinf(db(type, values)));
  }
}

TEST_CASE("points of the grids are exact, with an even number of signs where the type asks for it", "[accuracy]") {
  std::vector<double> even, odd, free_signs, three;
  for (std::size_t i = 0; i < 32; ++i) {
    add_point(even, "iq2_xxs", i * 7, 0.25 * 15.5, 0b00000011);
    add_point(odd, "iq2_xxs", i * 7, 0.25 * 15.5, 0b00000001);
    add_point(free_signs, "iq2_s", i * 31, 0.25 * 15.5, 0b00000001);
  }
  for (std::size_t i = 0; i < 64; ++i) add_point(three, "iq3_s", i * 7, 0.5 * 31, static_cast<unsigned>(i % 16));
  CHECK(std::isinf(db("iq2_xxs", even)));
  CHECK(db("iq2_xxs", odd) < 30);
  CHECK(std::isinf(db("iq2_s", free_signs)));
  CHECK(std::isinf(db("iq3_s", three)));

  std::vector<double> one;  // IQ1_S: a point moved by an eighth, up or down for 32 values
  const GgufGrid& grid = gguf_grid("iq1");
  for (std::size_t i = 0; i < 32; ++i)
    for (std::size_t k = 0; k < 8; ++k) one.push_back(0.5 * 15 * (grid.points[i * 61 * 8 + k] + (i / 4 % 2 == 0 ? 0.125 : -0.125)));
  CHECK(std::isinf(db("iq1_s", one)));
}

TEST_CASE("what GGUF's types cannot hold has no figure", "[accuracy]") {
  CHECK(std::isnan(gguf_sqnr_db(format("q4_k"), gaussian(4000), 2000)));  // rows are not whole blocks of 256
  CHECK(!std::isnan(gguf_sqnr_db(format("q4_0"), gaussian(4000).first(3200), 1600)));
  CHECK(std::isnan(gguf_sqnr_db(format("int4"), gaussian(4096), sample_row)));
  CHECK(std::isnan(db("q4_0", std::vector<double>(32, 0.0))));
  CHECK(std::isnan(gguf_sqnr_db(Values{})[format("q4_0")]));
}
