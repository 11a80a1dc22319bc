// OpenVINO's graphs: executed, with times, and a model without. tests/data/openvino_exec_graph.xml is written from the documented format.
#include <roofline/session/detect.hpp>

#include "rows.hpp"

using namespace roofline;

namespace {

const std::string& graph() {
  static const std::string text = file("tests/data/openvino_exec_graph.xml");
  return text;
}

const std::string model = R"(<?xml version="1.0"?><net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter"><output><port id="0" precision="FP32"><dim>1</dim><dim>8</dim><dim>10</dim><dim>10</dim></port></output></layer>
<layer id="1" name="w" type="Const"><output><port id="0" precision="FP16"><dim>8</dim><dim>1</dim><dim>1</dim><dim>3</dim><dim>3</dim></port></output></layer>
<layer id="5" name="widen" type="Convert"><input><port id="0"><dim>8</dim><dim>1</dim><dim>1</dim><dim>3</dim><dim>3</dim></port></input>
<output><port id="1" precision="FP16"><dim>8</dim><dim>1</dim><dim>1</dim><dim>3</dim><dim>3</dim></port></output></layer>
<layer id="2" name="dw" type="GroupConvolution"><data strides="2,2" pads_begin="0,0" pads_end="1,1" dilations="1,1" auto_pad="explicit"/>
<input><port id="0"><dim>1</dim><dim>8</dim><dim>10</dim><dim>10</dim></port><port id="1"><dim>8</dim><dim>1</dim><dim>1</dim><dim>3</dim><dim>3</dim></port></input>
<output><port id="2" precision="FP32"><dim>1</dim><dim>8</dim><dim>5</dim><dim>5</dim></port></output></layer>
<layer id="3" name="mm" type="MatMul"><data transpose_a="false" transpose_b="true"/>
<input><port id="0" precision="FP32"><dim>4</dim><dim>5</dim></port><port id="1" precision="FP32"><dim>5</dim><dim>5</dim></port></input>
<output><port id="2" precision="FP32"><dim>4</dim><dim>5</dim></port></output></layer>
<layer id="4" name="y" type="Result"><input><port id="0"><dim>1</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="5" to-port="0"/><edge from-layer="5" from-port="1" to-layer="2" to-port="1"/></edges></net>)";

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

TEST_CASE("openvino: a model is a list of layers without times", "[openvino]") {
  const Workload w = open(model);
  REQUIRE(w.size() == 2);  // what constants alone make is no work of a run
  CHECK(w.matrix_flops[row_named(w, "dw")] == 2.0 * 8 * 5 * 5 * 9);
  CHECK(w.class_of(row_named(w, "dw")).weight == format("fp16"));
  CHECK(w.matrix_flops[row_named(w, "mm")] == 2.0 * 4 * 5 * 5);
  CHECK(says(w, "an OpenVINO model states no times"));
}

TEST_CASE("openvino: malformed graphs say what is wrong", "[openvino]") {
  CHECK(refusal_of(graph().substr(0, 900)).find("line ") == 0);
  CHECK(refusal_of("<nets><layers/></nets>") == "the root element is <nets>; expected <net> with <layers>, as OpenVINO writes it");
  CHECK(detect("<html></html>") == FileKind::unknown);
}
