// validate [FILE.csv [FOLDER]]: the estimate against published measurements, written to validation.md,
// validation.svg and, for serving, validation-serving.md in FOLDER (default: docs/reference).
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "arguments.hpp"
#include "report.hpp"
#include "serving_report.hpp"

using namespace roofline::validation;

int main(int argc, char** argv) try {
  const Arguments arguments = arguments_of(argc, argv, {}, 2);
  const std::filesystem::path csv = arguments.file_or(0, "tests/data/measured.csv"), docs = arguments.file_or(1, "docs/reference");
  const std::string serving_held_back = text_of_file("tests/data/serving_held_back.csv");
  const Report written = report(measurements_of(text_of_file(csv)), "tests/data/measured-models", text_of_file("tests/data/held_back.csv"),
                                serving_headline(serving_held_back));
  const std::string npus = npu_report(measurements_of(text_of_file("tests/data/measured_npu.csv")), "tests/data/measured-models",
                                      text_of_file("tests/data/held_back_npu.csv"));
  std::ofstream(docs / "validation.md", std::ios::binary) << written.markdown << npus;
  std::ofstream(docs / "validation.svg", std::ios::binary) << written.svg;
  std::ofstream(docs / "validation-serving.md", std::ios::binary) << serving_report(
      measurements_of(text_of_packed_file("tests/data/measured_serving.csv.gz")), "tests/data/measured-models", serving_held_back);
  const std::string& md = written.markdown;
  const std::size_t from = md.find("## By kind"), to = md.find("## By stack");
  std::fwrite(md.data() + from, 1, to - from, stdout);
} catch (const std::exception& e) {
  std::fprintf(stderr, "validate: %s\n", e.what());
  return 2;
}
