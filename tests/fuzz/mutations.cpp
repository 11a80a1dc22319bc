// Runs a fuzz target without libFuzzer: the files of a folder as they are, and of each further file a fixed number of mutations, the same
// on every machine. Usage: TARGET COUNT FOLDER FILE...
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& seeds) : seeds_(seeds) {}

  std::string operator()(std::string text) {
    for (std::size_t n = 1 + below(3); n > 0; --n) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) {  // std's distributions differ between libraries
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return n == 0 ? 0 : static_cast<std::size_t>(state_ >> 33) % n;
  }

  void change(std::string& text) {
    static const char* const tokens[] = {"null", "true",      "-1",   "0",  "1e999", "-1e-320",     "9007199254740993",
                                         "NaN",  "-Infinity", "\"\"", "[]", "{}",    "[[1, 2], 3]", "\\u0000",
                                         "\xff", "\"a\": ",   ",",    "]",  "}",     "?:",          "[-9]",
                                         "^"};
    const std::size_t at = below(text.size() + 1), length = below(20);
    switch (below(7)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        text.insert(at, tokens[below(std::size(tokens))]);
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() + 1), length));
        break;
      case 4: {
        const std::string& other = seeds_[below(seeds_.size())];
        text.insert(at, other.substr(below(other.size() + 1), 10 * length));
        break;
      }
      case 5:
        replace_number(text, at, tokens[below(std::size(tokens))]);
        break;
      default:
        if (below(4) == 0) text.resize(at);
    }
  }

  /// The next number behind `at` becomes something else: most of such text still parses.
  static void replace_number(std::string& text, std::size_t at, const char* token) {
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string::npos) return;
    const std::size_t end = text.find_first_not_of("0123456789.", begin);
    text.replace(begin, end == std::string::npos ? end : end - begin, token);
  }

  const std::vector<std::string>& seeds_;
  std::uint64_t state_ = 1;
};

void run(const std::string& text) { LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()); }

std::string content(const std::filesystem::path& path) {
  const std::ifstream in(path, std::ios::binary);
  if (!in) std::fprintf(stderr, "%s: cannot be read\n", path.c_str()), std::exit(1);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "usage: %s COUNT FOLDER FILE...\n", argv[0]), 2;
  std::vector<std::string> seeds;
  for (int i = 3; i < argc; ++i) seeds.push_back(content(argv[i]));
  if (std::filesystem::exists(argv[2]))
    for (const auto& found : std::filesystem::directory_iterator(argv[2])) run(content(found.path()));
  Mutator mutate(seeds);
  for (const std::string& seed : seeds) {
    run(seed);
    for (int i = std::atoi(argv[1]); i > 0; --i) run(mutate(seed));
  }
}
