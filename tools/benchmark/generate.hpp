// The benchmark's input: a commands.json of a fixed seed. Ten kinds of ops, keys in shuffled order, unknown keys among them, names of 5 to
// 200 characters; 100,000 ops are about 25 MB.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace benchmark_input {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((next() >> 32) * n >> 32); }
  template <class T, std::size_t N>
  const T& of(const std::array<T, N>& choices) {
    return choices[below(N)];
  }

 private:
  std::uint64_t state_;
};

inline std::string record(Random& random) {
  static constexpr std::array sizes = {64, 128, 256, 512, 768, 1024, 2048, 4096};
  static constexpr std::array images = {7, 14, 28, 56, 112, 224};
  static constexpr std::array channels = {16, 32, 64, 128, 256, 512};
  static constexpr std::array formats = {"INT8", "FP16", "BF16", "FP32", "int8"};
  const auto n = [](long long v) { return std::to_string(v); };
  std::vector<std::string> fields;
  const auto field = [&](const char* key, const std::string& value) { fields.push_back('"' + std::string(key) + "\": " + value); };
  double work = 1e6;  // MACs or elements, to make a time of
  const int a = random.of(sizes), b = random.of(sizes), c = random.of(sizes), image = random.of(images), in = random.of(channels),
            out = random.of(channels);
  const auto shape = [&](std::initializer_list<int> dims) {
    std::string s = "[";
    for (const int d : dims) s += (s.size() > 1 ? ", " : "") + n(d);
    return s + ']';
  };
  switch (random.below(10)) {
    case 0:
      field("type", "\"ID_CONV\"");
      field("input_shape", shape({1, in, 1, image, image}));
      field("output_channels", n(out));
      field("kernel_size", "[1, 3, 3]");
      field("stride", "[1, 1, 1]");
      field("padding", "[0, 1, 1]");
      work = 9.0 * in * out * image * image;
      break;
    case 1:
      field("type", "\"conv2d\"");
      field("input_shape", shape({1, in, image, image}));
      field("output_channels", n(in));
      field("groups", n(in));
      field("kernel_size", "[3, 3]");
      field("padding", "\"SAME\"");
      work = 9.0 * in * image * image;
      break;
    case 2:
      field("type", "\"ID_MM\"");
      field("input_mat1", shape({1, 1, 1, a, b}));
      field("input_mat2", shape({1, 1, 1, b, c}));
      work = 1.0 * a * b * c;
      break;
    case 3:
      field("type", "\"ID_ADDMM\"");
      field("input_mat1", shape({a, b}));
      field("input_mat2", shape({b, c}));
      field("input_input", shape({c}));
      work = 1.0 * a * b * c;
      break;
    case 4:
      field("type", "\"BatchMatMul\"");
      field("input_mat1", shape({8, 12, a, 64}));
      field("input_mat2", shape({8, 12, 64, a}));
      work = 96.0 * a * a * 64;
      break;
    case 5:
      field("type", "\"ID_MUL\"");
      field("input_self", shape({1, a, b}));
      field("input_other", shape({1, 1, b}));
      work = 1.0 * a * b;
      break;
    case 6:
      field("type", "\"Softmax\"");
      field("input_shape", shape({8, 12, a, a}));
      work = 500.0 * a * a;
      break;
    case 7:
      field("type", "\"LayerNorm\"");
      field("input_shape", shape({a, b}));
      work = 7.0 * a * b;
      break;
    case 8:
      field("type", "\"Transpose\"");
      field("input_shape", shape({a, b}));
      work = 1.0 * a * b;
      break;
    default:
      field("type", "\"ID_CUSTOM\"");
      field("macs", n(1000LL * a * b));
      field("bytes", n(3LL * a * b));
      work = 1000.0 * a * b;
  }
  std::string name = "\"/model/layer" + n(random.below(1000)) + "/";
  const std::size_t length = 5 + random.below(196);
  static constexpr char letters[] = "abcdefghijklmnopqrstuvwxyz_/.0123456789";
  while (name.size() < length) name += letters[random.below(sizeof letters - 1)];
  field("name", name + '"');
  field("data_type", '"' + std::string(random.of(formats)) + '"');
  char time[40];
  std::snprintf(time, sizeof time, "%.3f", work / 12e3 * (1 + random.below(2000) / 200.0) + 900);
  field("time_ns", time);
  if (random.below(5) == 0) field("hw_bytes", n(static_cast<long long>(4096 + random.below(100000000))));
  field("id", n(random.below(1000000)));
  field("tag", "{\"tile\": [16, 16]}");
  for (std::size_t i = fields.size(); i > 1; --i) std::swap(fields[i - 1], fields[random.below(static_cast<std::uint32_t>(i))]);
  std::string text = "{";
  for (const std::string& f : fields) text += (text.size() > 1 ? ", " : "") + f;
  return text + '}';
}

inline std::string commands(std::size_t ops, std::uint64_t seed = 1) {
  Random random(seed);
  std::string text = "[\n";
  for (std::size_t i = 0; i < ops; ++i) text += (i > 0 ? ",\n" : "") + record(random);
  return text + "\n]\n";
}

}  // namespace benchmark_input
