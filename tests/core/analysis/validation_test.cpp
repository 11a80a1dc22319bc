// docs/reference/validation.md, the stacks' files and the measurements say the same, and the estimate is as good as it is said to be.
#include "../../../tools/validation/report.hpp"
#include "../../../tools/validation/serving_report.hpp"
#include "support.hpp"

using namespace roofline;

TEST_CASE("validation: the document is what the measurements say", "[validation]") {
  const auto rows = validation::measurements_of(file("tests/data/measured.csv"));
  const validation::Report written = validation::report(rows, "tests/data/measured-models", file("tests/data/held_back.csv"),
                                                        validation::serving_headline(file("tests/data/serving_held_back.csv")));
  const std::string npus = validation::npu_report(validation::measurements_of(file("tests/data/measured_npu.csv")),
                                                  "tests/data/measured-models", file("tests/data/held_back_npu.csv"));
  CHECK(written.markdown + npus == file("docs/reference/validation.md"));  // else: tools/validate
  CHECK(written.svg == file("docs/reference/validation.svg"));
  CHECK(written.markdown.find("language models 0 were faster than their bound") != std::string::npos);
}

TEST_CASE("validation: held back by block, the estimate is within its reach", "[validation]") {
  const std::string table = file("tests/data/held_back.csv");
  for (const auto& [kind, most] :
       {std::pair("decode", 12.0), std::pair("generate", 12.0), std::pair("prefill", 17.0), std::pair("gemm", 15.0)}) {
    const std::string start = "\nmodel," + std::string(kind) + ',';
    const std::size_t at = table.find(start);
    INFO(kind);
    REQUIRE(at != std::string::npos);
    const std::size_t median = table.find(',', at + start.size()) + 1;
    CHECK(std::stod(table.substr(median)) <= most);
  }
}
