// What rounding to GGUF's types loses, against closed forms, hand-written blocks and llama.cpp's own quantiser.
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/accuracy/gguf_accuracy.hpp>

#include "support.hpp"

using namespace roofline;

namespace {
FormatId id(const char* name) { return *Formats::catalogue().find(name); }
}  // namespace

TEST_CASE("dump gguf", "[dump]") {
  const auto v = sample_values(Sample::gaussian);
  for (const FormatId f : gguf_types())
    std::printf("%s %.3f\n", Formats::catalogue()[f].id.c_str(), gguf_sqnr_db(f, v.subspan(0, 32768), sample_row));
}
