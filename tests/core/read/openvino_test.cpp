// OpenVINO's graphs that were executed, with times. tests/data/openvino_exec_graph.xml is written from the documented format.
#include <roofline/session/detect.hpp>

#include "rows.hpp"

using namespace roofline;

namespace {

const std::string& graph() {
  static const std::string text = file("tests/data/openvino_exec_graph.xml");
  return text;
}

}  // namespace

TEST_CASE("openvino: an executed graph has times, and the work that its shapes tell", "[openvino]") {
  CHECK(detect(graph()) == FileKind::operations);
  const Workload w = open(graph());
  CHECK(w.source_format == SourceFormat::openvino);
  REQUIRE(w.size() == 4);
  const std::size_t conv = row_named(w, "conv1"), folded = row_named(w, "conv2"), fc = row_named(w, "fc");
  CHECK_THAT(w.time_s[conv], WithinRel(500e-6, 1e-12));
  CHECK(w.matrix_flops[conv] == 2.0 * 112 * 112 * 64 * 3 * 49);
  CHECK(w.class_of(conv).weight == format("int8"));  // by the edge that feeds it
  CHECK(w.class_of(conv).activation == format("fp16"));
  // Its weights are in no port: how large the kernel is, nothing tells.
  CHECK(!known(w.matrix_flops[folded]));
  CHECK(w.bytes[folded] == 2.0 * 2 * 64 * 112 * 112);
  CHECK(w.class_of(fc).type == "FullyConnected");
  CHECK(w.matrix_flops[fc] == 2.0 * 2048 * 1000);
  CHECK(w.class_of(fc).output == format("fp32"));
  CHECK(w.class_of(row_named(w, "resize")).time_only);
  CHECK(says(w, "1 layer not executed: left out"));
  CHECK(says(w, "1 layer with a time that is no number of microseconds"));
  CHECK(says(w, "1 of 4 layers (Interpolate) have shapes that are not fixed"));
  CHECK(says(w, "1 of 4 layers (Convolution) do not say all that their operators need"));
}

TEST_CASE("openvino: the layers that one was made of are a category where a file has them", "[openvino]") {
  const auto with = [](const char* originals) {
    return open(std::string(R"(<net name="n" version="10"><layers><layer id="0" name="r1" type="ReLU"><data execTimeMcs="5" )") +
                originals + R"(/></layer><layer id="1" name="c2" type="ReLU"><data execTimeMcs="9"/></layer></layers></net>)");
  };
  CHECK(with("").categories.empty());
  const Workload merged = with(R"(originalLayersNames="c1,r1")");
  REQUIRE(merged.categories.size() == 1);
  CHECK(merged.categories[0].name == merged_category);
  CHECK(merged.categories[0].word(0) == "c1 + r1");
  CHECK(merged.categories[0].value[1] == Category::none);
}

TEST_CASE("openvino: a model states no times, and belongs to the networks", "[openvino]") {
  CHECK(refusal_of("<net name=\"m\" version=\"11\"><layers><layer id=\"0\" name=\"x\" type=\"Parameter\"/></layers></net>") ==
        "an OpenVINO model, which states no times: it opens as a network, from its file; benchmark_app -exec_graph_path writes the graph "
        "with times");
}

TEST_CASE("openvino: malformed graphs say what is wrong", "[openvino]") {
  CHECK(refusal_of(graph().substr(0, 900)).find("line ") == 0);
  CHECK(refusal_of("<nets><layers/></nets>") == "the root element is <nets>; expected <net> with <layers>, as OpenVINO writes it");
  CHECK(detect("<html></html>") == FileKind::unknown);
}
