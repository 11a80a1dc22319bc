#include <algorithm>
#include <cmath>
#include <numeric>
#include <roofline/accuracy/accuracy.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

const Format& entry(std::string_view id) { return Formats::catalogue()[format(id)]; }
double gaussian(std::string_view id) { return sqnr_db(format(id), Sample::gaussian); }
double db(double ratio) { return 10 * std::log10(ratio); }

double mean_square(std::span<const double> values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0) / static_cast<double>(values.size());
}
double max_abs(std::span<const double> values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::fabs(x));
  return most;
}
double share_beyond(std::span<const double> values, double limit) {
  const auto n = std::count_if(values.begin(), values.end(), [&](double x) { return std::fabs(x) > limit; });
  return static_cast<double>(n) / static_cast<double>(values.size());
}

/// Probability that a standard normal lies within +-x.
double within(double x) { return std::erf(x / std::sqrt(2.0)); }

/// What a floating format makes of a standard normal times `gain`, in closed form: between two powers of two the step is constant, and
/// the error of a step is uniform, step^2 / 12. Below the smallest normal number the step stays what it is there.
double floating_sqnr(int exponent_bits, int mantissa_bits, double gain) {
  const int lowest = 2 - (1 << (exponent_bits - 1));
  double noise = 0;
  for (int e = std::max(lowest, -300); e < 40; ++e) {
    const double from = e == lowest ? 0 : std::ldexp(1, e), to = std::ldexp(1, e + 1);
    noise += (within(to / gain) - within(from / gain)) * std::ldexp(1, 2 * (e - mantissa_bits)) / 12;
  }
  return db(gain * gain / noise);
}

/// What blocks of `n` standard normals lose where a block with the largest magnitude m has the scale `scale_of(m)` and its elements take
/// the nearest of `levels` times that, by integration: over m, whose density is n 2 phi(m) P(|x| < m)^(n - 1), and over the n - 1 others,
/// which are normals cut off at m.
template <class ScaleOf>
double block_sqnr(int n, const std::vector<double>& levels, ScaleOf&& scale_of) {
  const auto density = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0)); };
  const auto error = [&](double x, double scale) {
    double least = std::numeric_limits<double>::infinity();
    for (const double level : levels) least = std::min(least, std::fabs(x - level * scale));
    return least * least;
  };
  constexpr int steps = 300;
  constexpr double from = 0.5, to = 6.5;
  double noise = 0;
  for (int i = 0; i < steps; ++i) {
    const double m = from + (to - from) * (i + 0.5) / steps, scale = scale_of(m);
    double others = 0, mass = 0;
    for (int j = 0; j < steps; ++j) {
      const double x = m * (2 * (j + 0.5) / steps - 1);
      others += density(x) * error(x, scale);
      mass += density(x);
    }
    const double weight = n * 2 * density(m) * std::pow(within(m), n - 1) * (to - from) / steps;
    noise += weight * ((error(m, scale) + error(-m, scale)) / 2 + (n - 1) * others / mass) / n;
  }
  return -db(noise);
}

std::vector<double> rounded(std::string_view id, std::vector<double> values) { return quantised(entry(id), values, values.size()); }

Values of(const std::vector<double>& values, std::uint64_t row) {
  return {values.size(), row, [&values](std::uint64_t first, std::span<double> out) {
            std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
          }};
}

}  // namespace

TEST_CASE("samples: the distributions they are named after") {
  const auto normal = sample_values(Sample::gaussian), heavy = sample_values(Sample::student_t5),
             outliers = sample_values(Sample::outlier_channels);
  REQUIRE((normal.size() == sample_size && heavy.size() == sample_size && outliers.size() == sample_size));
  CHECK_THAT(std::accumulate(normal.begin(), normal.end(), 0.0) / sample_size, WithinAbs(0, 0.01));
  CHECK_THAT(mean_square(normal), WithinRel(1.0, 0.01));
  // Tables of the normal and of Student's t with 5 degrees, two-sided.
  CHECK_THAT(share_beyond(normal, 0.6745), WithinAbs(0.5, 0.005));
  CHECK_THAT(share_beyond(normal, 1.9600), WithinAbs(0.05, 0.002));
  CHECK_THAT(share_beyond(normal, 3.2905), WithinAbs(0.001, 0.0004));
  CHECK_THAT(share_beyond(heavy, 0.7267), WithinAbs(0.5, 0.005));
  CHECK_THAT(share_beyond(heavy, 2.5706), WithinAbs(0.05, 0.002));
  CHECK_THAT(share_beyond(heavy, 6.8688), WithinAbs(0.001, 0.0004));

  std::vector<double> ordinary, loud;
  for (std::size_t i = 0; i < sample_size; ++i) (i % sample_row % 1024 == 512 ? loud : ordinary).push_back(outliers[i]);
  CHECK(loud.size() == 4 * sample_size / sample_row);
  CHECK_THAT(mean_square(ordinary), WithinRel(1.0, 0.01));
  CHECK_THAT(mean_square(loud), WithinRel(400.0, 0.35));  // 64 values
  for (const Sample s : {Sample::gaussian, Sample::student_t5, Sample::outlier_channels}) CHECK(named<Sample>(to_string(s)) == s);
  CHECK_FALSE(named<Sample>("uniform"));
}

TEST_CASE("accuracy: integers lose step^2 / 12, and what they clip") {
  // Of INT4 the steps are too wide for that: least_error_test.cpp has its integral.
  const auto sample = sample_values(Sample::gaussian);
  for (const auto& [id, bits] : {std::pair("int8", 8), std::pair("int16", 16)}) {
    INFO(id);
    const double most = std::ldexp(1, bits - 1) - 1;
    double least = std::numeric_limits<double>::infinity();
    for (double limit = 0.7 * max_abs(sample); limit <= max_abs(sample); limit += 0.0005) {
      double noise = limit * limit / most / most / 12 * sample_size;
      for (const double x : sample) noise += std::fabs(x) > limit ? (std::fabs(x) - limit) * (std::fabs(x) - limit) : 0;
      least = std::min(least, noise);
    }
    CHECK_THAT(gaussian(id), WithinAbs(db(mean_square(sample) * sample_size / least), 0.05));
  }
}

TEST_CASE("accuracy: floating formats lose a share of every octave") {
  // One standard error of 65,536 values is 0.04 dB here: few of them are in the octaves that have most of the noise.
  CHECK_THAT(gaussian("fp16"), WithinAbs(floating_sqnr(5, 10, 1), 0.12));
  CHECK_THAT(gaussian("bf16"), WithinAbs(floating_sqnr(8, 7, 1), 0.12));
  CHECK_THAT(gaussian("tf32"), WithinAbs(floating_sqnr(8, 10, 1), 0.12));
  CHECK_THAT(gaussian("fp32"), WithinAbs(floating_sqnr(8, 23, 1), 0.12));
  const double most = max_abs(sample_values(Sample::gaussian));
  CHECK_THAT(gaussian("fp8_e4m3"), WithinAbs(floating_sqnr(4, 3, 448 / most), 0.12));
  CHECK_THAT(gaussian("fp8_e5m2"), WithinAbs(floating_sqnr(5, 2, 57344 / most), 0.15));
  CHECK(gaussian("fp64") == std::numeric_limits<double>::infinity());
}

TEST_CASE("accuracy: blocks gain on the scale from their maximum, which loses step^2 / 12") {
  // Independent of how a block is rounded: from the sample's maxima alone, by std::frexp where the scale is a power of two.
  const auto expected = [](std::size_t block, auto&& step_of) {
    double signal = 0, noise = 0;
    const auto sample = sample_values(Sample::gaussian);
    for (std::size_t first = 0; first < sample.size(); first += block) {
      const auto values = sample.subspan(first, block);
      const double step = step_of(max_abs(values));
      signal += mean_square(values) * static_cast<double>(block);
      noise += step * step / 12 * static_cast<double>(block);
    }
    return db(signal / noise);
  };
  const auto gain = [&](const char* id, double from_maximum) { return gaussian(id) - from_maximum; };
  CHECK_THAT(gain("int8_g128", expected(128, [](double most) { return most / 127; })), WithinAbs(0.44, 0.05));
  CHECK_THAT(gain("int4_g128", expected(128, [](double most) { return most / 7; })), WithinAbs(0.93, 0.05));
  CHECK_THAT(gain("int4_g64", expected(64, [](double most) { return most / 7; })), WithinAbs(0.68, 0.1));
  CHECK_THAT(gain("mxint8", expected(32,
                                     [](double most) {
                                       int exponent = 0;
                                       std::frexp(most, &exponent);  // most = f 2^exponent, 0.5 <= f < 1
                                       return std::ldexp(1, exponent - 1 - 6);
                                     })),
             WithinAbs(0.05, 0.05));
}

TEST_CASE("accuracy: 4-bit blocks gain on the scale from their maximum, by integration") {
  // Levels from OCP MX 1.0, table 5 (E2M1), and from QLoRA (arXiv 2305.14314), appendix E.
  const std::vector<double> e2m1 = {-6, -4, -3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const std::vector<double> codes = {-1.0,
                                     -0.6961928009986877,
                                     -0.5250730514526367,
                                     -0.39491748809814453,
                                     -0.28444138169288635,
                                     -0.18477343022823334,
                                     -0.09105003625154495,
                                     0.0,
                                     0.07958029955625534,
                                     0.16093020141124725,
                                     0.24611230194568634,
                                     0.33791524171829224,
                                     0.44070982933044434,
                                     0.5626170039176941,
                                     0.7229568362236023,
                                     1.0};
  CHECK_THAT(gaussian("nf4") - block_sqnr(64, codes, [](double m) { return m; }), WithinAbs(0.69, 0.05));
  CHECK_THAT(gaussian("mxfp4") - block_sqnr(32, e2m1, [](double m) { return std::exp2(std::floor(std::log2(m)) - 2); }),
             WithinAbs(0.27, 0.05));
  // NVFP4's scales are E4M3 numbers, steps of an eighth of their power of two, times the tensor's own.
  const double tensor = max_abs(sample_values(Sample::gaussian)) / (6 * 448);
  const auto nvfp4 = [&](double m) {
    const double scale = std::min(m / 6 / tensor, 448.0), step = std::exp2(std::floor(std::log2(scale)) - 3);
    return std::round(scale / step) * step * tensor;
  };
  CHECK_THAT(gaussian("nvfp4") - block_sqnr(16, e2m1, nvfp4), WithinAbs(1.31, 0.05));
}

TEST_CASE("accuracy: published limits") {
  // arXiv 2510.25602, theorems 1 and 2: a floating format with M mantissa bits reaches at most 13.80 + 6.02 M dB, and comes near that
  // where its range is ample; an integer one has 4.78 + 6.02 b less the crest factor in dB.
  for (const auto& [id, mantissa] : {std::pair("fp8_e4m3", 3), std::pair("fp8_e5m2", 2), std::pair("bf16", 7), std::pair("fp16", 10),
                                     std::pair("tf32", 10), std::pair("fp32", 23)}) {
    INFO(id);
    const double limit = 13.80 + 6.02 * mantissa;
    CHECK(gaussian(id) < limit);
    CHECK(gaussian(id) > limit - 0.5);
  }
  for (const char* id : {"mxfp8", "mxfp8_e5m2", "mxfp6_e2m3", "mxfp6_e3m2"}) {
    INFO(id);
    CHECK(gaussian(id) < 13.80 + 6.02 * entry(id).mantissa_bits);
  }
  const auto sample = sample_values(Sample::gaussian);
  const double crest = 20 * std::log10(max_abs(sample) / std::sqrt(mean_square(sample)));
  CHECK(gaussian("int8") > 4.78 + 6.02 * 8 - crest);  // there no value is clipped
  CHECK_THAT(gaussian("int16"), WithinAbs(4.78 + 6.02 * 16 - crest, 0.2));
}

TEST_CASE("accuracy: one bit as binary networks have it") {
  // A sign times the mean magnitude sqrt(2 / pi), which is the best scale, leaves 1 - 2 / pi of a standard normal.
  CHECK_THAT(gaussian("int1"), WithinAbs(-db(1 - 2 / std::acos(-1.0)), 0.02));
  CHECK(rounded("int1", {1, -2, 3, 6}) == std::vector<double>{3, -3, 3, 3});
}

TEST_CASE("accuracy: elements of the specifications") {
  // Blocks whose largest magnitude is the element's own largest: the scale is 1, and nearest elements can be read off the tables.
  CHECK(rounded("mxfp4", {6, -6, 5.1, 4.9, 3.4, 2.6, 2.5, 1.7, 1.25, 0.75, 0.74, 0.25, 0.26, 0.1, 0, -0.3}) ==
        std::vector<double>{6, -6, 6, 4, 3, 3, 2, 1.5, 1, 1, 0.5, 0, 0.5, 0, 0, -0.5});
  CHECK(rounded("mxfp6_e2m3", {7.5, 7.2, 0.06, 0.07, 0.125, 1.06}) == std::vector<double>{7.5, 7, 0, 0.125, 0.125, 1});
  CHECK(rounded("mxfp6_e3m2", {28, 26.1, 0.0625, 0.03, 0.04, 17}) == std::vector<double>{28, 28, 0.0625, 0, 0.0625, 16});
  CHECK(rounded("mxfp8", {448, 420, 0.002, 0.0005, 17, 18.9}) == std::vector<double>{448, 416, 0.001953125, 0, 16, 18});
  CHECK(rounded("mxint8", {127, -127.4, 0.4, 0.6, 64.5, 65.5}) == std::vector<double>{127, -127, 0, 1, 64, 66});
  // MX scales are powers of two: 7 needs 2^(2 - 2) as 4 does, and is clipped to 6; 8 doubles the step.
  CHECK(rounded("mxfp4", {7, 1.5}) == std::vector<double>{6, 1.5});
  CHECK(rounded("mxfp4", {8, 1.5}) == std::vector<double>{8, 2});
  CHECK(rounded("mxfp4", {0, 0}) == std::vector<double>{0, 0});
  // NVFP4: the tensor's largest block has the scale 448 times the tensor's; a block with maximum 3 has half, one with 0.1 the nearest E4M3.
  std::vector<double> two_blocks(32, 0);
  two_blocks[0] = 6, two_blocks[1] = 1.2, two_blocks[16] = 3, two_blocks[17] = 0.6;
  std::vector<double> expected(32, 0);
  expected[0] = 6, expected[1] = 1, expected[16] = 3, expected[17] = 0.5;
  const std::vector<double> q = rounded("nvfp4", two_blocks);
  for (std::size_t i = 0; i < 32; ++i) CHECK_THAT(q[i], WithinAbs(expected[i], 1e-6));  // the tensor's scale is an FP32
  // NF4: entries of the code book, times a scale.
  const std::vector<double> entries = {2, -2, 2 * 0.16093020141124725, 0, 2 * -0.5250730514526367};
  const std::vector<double> nf4 = rounded("nf4", entries);
  for (std::size_t i = 0; i < entries.size(); ++i) CHECK_THAT(nf4[i], WithinAbs(entries[i], 1e-7));  // the scale is an FP32
  // Groups: whole steps of 2, and of 3 from -3 to 42.
  CHECK(rounded("int4_g128", {14, -4, 2, 12}) == std::vector<double>{14, -4, 2, 12});
  CHECK(rounded("int4_g128_zp", {42, -3, 9, 39}) == std::vector<double>{42, -3, 9, 39});
}

TEST_CASE("accuracy: a scale beyond its format becomes its largest value, one too small for it nothing") {
  const double most = 7 * 65504.0;  // FP16's largest, seven steps
  CHECK(rounded("int4_g128", {1e6, -1e300, 65504, 3e4}) == std::vector<double>{most, -most, 65504, 0});
  CHECK(rounded("int4_g128_zp", {1e7, 0}) == std::vector<double>{15 * 65504.0, 0});
  CHECK(rounded("int4_g128", {1e-9, -1e-9}) == std::vector<double>{0, 0});
}

TEST_CASE("accuracy: rounding never makes more noise than the numbers, whatever they are") {
  for (const double scale : {1e-160, 1e-40, 1e-9, 1.0, 1e6, 1e30, 1e120}) {
    std::vector<double> values;
    for (int i = 0; i < 256; ++i) values.push_back(i % 3 == 1 ? std::nan("") : scale * std::sin(i * i + 1));
    const Accuracy accuracy = measure_accuracy(of(values, values.size()));
    CHECK(accuracy.not_finite == 85);
    for (const FormatId f : quantising_formats()) {
      INFO(Formats::catalogue()[f].id << " at " << scale);
      CHECK(accuracy.sqnr_db[f] > -1e-9);
    }
  }
}

TEST_CASE("accuracy: blocks run along rows, and none spans two") {
  std::vector<double> values(8, 0.75);
  values[3] = 6;  // rows of 4: the second has a block of its own, in which 0.75 is exact
  const std::vector<double> q = quantised(entry("mxfp4"), values, 4);
  CHECK(q == std::vector<double>{1, 1, 1, 6, 0.75, 0.75, 0.75, 0.75});
}

TEST_CASE("accuracy: the published orders on a Gaussian") {
  const auto ascending = [](std::initializer_list<const char*> ids) {
    double last = -1;
    for (const char* id : ids) {
      INFO(id);
      CHECK(gaussian(id) > last + 0.1);
      last = gaussian(id);
    }
  };
  ascending({"int1", "int4", "mxfp4", "nvfp4", "mxfp6_e3m2", "mxfp8", "mxint8", "bf16", "fp16", "fp32"});
  ascending({"mxfp6_e3m2", "mxfp6_e2m3", "mxint8"});  // arXiv 2510.25602: MXINT8 above MXFP8, E2M3 above E3M2
  ascending({"mxfp8_e5m2", "mxfp8"});
  ascending({"mxfp4", "nf4"});                               // arXiv 2305.14314
  ascending({"int4", "int4_g128", "int4_g64", "int4_g32"});  // smaller groups, better scales
  ascending({"int4_g128", "int4_g128_zp", "nf4"});
  ascending({"int8", "int8_g128"});
}

TEST_CASE("accuracy: outlier channels break scales per tensor and spare blocks") {
  const auto lost = [](const char* id) { return gaussian(id) - sqnr_db(format(id), Sample::outlier_channels); };
  CHECK(lost("int8") > 15);
  CHECK(lost("int8_g128") < 13);
  for (const char* id : {"mxfp8", "fp16", "bf16", "fp8_e4m3"}) {
    INFO(id);
    CHECK(std::fabs(lost(id)) < 1);
  }
  CHECK(std::fabs(gaussian("fp16") - sqnr_db(format("fp16"), Sample::student_t5)) < 0.5);
  CHECK(gaussian("int8") - sqnr_db(format("int8"), Sample::student_t5) > 5);
}

TEST_CASE("accuracy: a format without a rule has none, every other one has") {
  for (std::size_t i = 0; i < Formats::catalogue().size(); ++i) {
    const Format& f = Formats::catalogue().all()[i];
    INFO(f.id);
    const bool ruled = f.source.find("llama.cpp") == std::string::npos && f.id != "int32" && f.id != "int64";
    CHECK(f.quantises() == ruled);
    for (const Sample s : {Sample::gaussian, Sample::student_t5, Sample::outlier_channels})
      CHECK(std::isnan(sqnr_db(static_cast<FormatId>(i), s)) == !ruled);
  }
}

TEST_CASE("accuracy: a tensor") {
  const auto sample = sample_values(Sample::student_t5);
  std::vector<double> values(sample.begin(), sample.end());
  const Accuracy whole = measure_accuracy(of(values, sample_row));
  CHECK((whole.elements == sample_size && whole.measured == sample_size && whole.not_finite == 0));
  CHECK_THAT(whole.rms, WithinRel(std::sqrt(mean_square(sample)), 1e-12));
  CHECK(whole.max == *std::max_element(values.begin(), values.end()));
  CHECK(whole.min == *std::min_element(values.begin(), values.end()));
  for (std::size_t f = 0; f < Formats::catalogue().size(); ++f)
    CHECK(same(whole.sqnr_db[f], sqnr_db(static_cast<FormatId>(f), Sample::student_t5)));
  // A scale of a power of two changes nothing where a format has scales or range enough.
  for (double& x : values) x *= 1.0 / 64;
  const Accuracy small = measure_accuracy(of(values, sample_row));
  for (const char* id : {"int8", "fp8_e4m3", "mxfp4", "nvfp4", "nf4", "bf16"}) {
    INFO(id);
    CHECK_THAT(small.sqnr_db[format(id)], WithinAbs(whole.sqnr_db[format(id)], 1e-9));
  }

  values.assign(sample.begin(), sample.end());
  values[5] = std::numeric_limits<double>::quiet_NaN(), values[6] = std::numeric_limits<double>::infinity();
  const Accuracy faulty = measure_accuracy(of(values, sample_row));
  CHECK(faulty.not_finite == 2);
  CHECK_THAT(faulty.sqnr_db[format("int8")], WithinAbs(whole.sqnr_db[format("int8")], 0.1));
}

TEST_CASE("accuracy: a tensor of zeros, of nothing, in odd rows") {
  const std::vector<double> zeros(100, 0.0);
  for (const double sqnr : measure_accuracy(of(zeros, 10)).sqnr_db) CHECK(std::isnan(sqnr));
  CHECK(measure_accuracy(of({}, 1)).measured == 0);
  // Odd rows: every value is read exactly once.
  const std::vector<double> odd(3 * 70001, 1.0);
  CHECK(measure_accuracy(of(odd, 70001)).measured == odd.size());
  CHECK(measure_accuracy(of(odd, 3)).measured == odd.size());
}

TEST_CASE("accuracy: a tensor in part") {
  // Above the limit pieces are left out, evenly, and with them the largest value: what is rounded decides the scale per tensor.
  const auto sample = sample_values(Sample::student_t5);
  constexpr std::uint64_t limit = 1 << 17;
  const Values large{5 * limit, 1 << 16, [&](std::uint64_t first, std::span<double> out) {
                       for (std::size_t i = 0; i < out.size(); ++i)
                         out[i] = first + i == (1 << 16) + 7 ? 100 : sample[(first + i) % sample_size];
                     }};
  const Accuracy part = measure_accuracy(large, limit);
  CHECK(part.elements == 5 * limit);
  CHECK(part.measured == limit);
  CHECK(part.max == 100);
  CHECK_THAT(part.sqnr_db[format("int8")], WithinAbs(sqnr_db(format("int8"), Sample::student_t5), 0.05));
  CHECK_THAT(part.sqnr_db[format("mxfp8")], WithinAbs(sqnr_db(format("mxfp8"), Sample::student_t5), 0.01));
}
