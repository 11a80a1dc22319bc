#include <fstream>
#include <roofline/machine/format.hpp>
#include <roofline/operators/operator.hpp>
#include <roofline/read/read.hpp>
#include <roofline/registry/expression.hpp>
#include <set>
#include <sstream>

#include "catch.hpp"

using namespace roofline;

namespace {

Result<Work> derive(const char* type, const std::string& json, Trace* trace = nullptr) {
  const Operator* op = find_operator(type);
  REQUIRE(op != nullptr);
  const Keys keys;
  const auto parsed = parse_record(json, keys);
  REQUIRE(parsed);
  return op->derive((*parsed)->record, trace);
}

double value_of(const Work& work, std::string_view quantity) {
  if (quantity == "matrix_flops") return work.matrix_flops;
  if (quantity == "vector_flops") return work.vector_flops;
  if (quantity == "weight") return work.weight;
  if (quantity == "activation") return work.activation;
  if (quantity == "output") return work.output;
  if (quantity == "kv_read") return work.kv_read;
  FAIL("no such quantity: " << quantity);
  return 0;
}

struct Figure {
  const char* source;
  const char* type;
  const char* json;
  Work work;  // matrix_flops, vector_flops, weight, activation, output, kv_read
};

// Where a source gives FLOPs only, the elements are products of the shapes in the record.
const Figure figures[] = {
    // The NPU tool's own cases: MACs times two, bytes over the width of the format; bias read and MUL's result added.
    {"NPU tool: conv 924844032 MACs, 4890624 bytes of INT8",
     "ID_CONV",
     R"({"input_shape":[1,64,1,224,224],"output_channels":128,"kernel_size":[1,3,3],"stride":[1,2,2],"padding":[0,1,1]})",
     {2.0 * 924844032, 0, 73728, 3211264, 4890624 - 73728 - 3211264}},
    {"NPU tool: conv 2415919104 MACs, 3407872 bytes of INT8",
     "ID_CONV",
     R"({"input_shape":[1,512,1,32,32],"output_channels":512,"kernel_size":[1,3,3],"stride":[1,1,1],"padding":[0,1,1]})",
     {2.0 * 2415919104, 0, 2359296, 524288, 524288}},
    {"NPU tool: addmm 4194304 MACs, 16793600 bytes of FP32, and a bias of 2048",
     "ID_ADDMM",
     R"({"input_input":[1,1,1,1,2048],"input_mat1":[1,1,1,1,2048],"input_mat2":[1,1,1,2048,2048]})",
     {2.0 * 4194304, 0, 4194304 + 2048, 2048, 2048}},
    {"NPU tool: mm 268435456 MACs, 2621440 bytes of FP16",
     "ID_MM",
     R"({"input_mat1":[1,1,1,512,1024],"input_mat2":[1,1,1,1024,512]})",
     {2.0 * 268435456, 0, 524288, 524288, 262144}},
    {"NPU tool: mul 2048, two reads of 2048 and now the write",
     "ID_MUL",
     R"({"input_self":[1,1,1,1,2048],"input_other":[1,1,1,1,2048]})",
     {0, 2048, 0, 4096, 2048}},

    // PyTorch's FlopCounterMode tests.
    {"torch mm 240", "aten::mm", R"({"input_mat1":[4,5],"input_mat2":[5,6]})", {240, 0, 30, 20, 24}},
    {"torch bmm 720", "aten::bmm", R"({"input_mat1":[3,4,5],"input_mat2":[3,5,6]})", {720, 0, 0, 60 + 90, 72}},
    {"torch baddbmm 720", "aten::baddbmm", R"({"inputs":[[3,4,6],[3,4,5],[3,5,6]]})", {720, 0, 0, 60 + 90 + 72, 72}},
    {"torch addmm 240", "aten::addmm", R"({"inputs":[[6],[4,5],[5,6]]})", {240, 0, 30 + 6, 20, 24}},
    {"torch addmm 240, a bias that is a column", "aten::addmm", R"({"inputs":[[4,1],[4,5],[5,6]]})", {240, 0, 30, 20 + 4, 24}},
    {"torch addmm 240, a bias with rows", "aten::addmm", R"({"inputs":[[4,6],[4,5],[5,6]]})", {240, 0, 30, 20 + 24, 24}},
    {"torch einsum 672", "aten::einsum", R"({"equation":"ab,bc->ac","inputs":[[6,7],[7,8]]})", {672, 0, 56, 42, 48}},
    {"torch autograd: the two products of 5 x 5 backward are 500", "mm_backward", R"({"inputs":[[5,5],[5,5]]})", {500, 0, 50, 50, 25}},
    {"torch conv2d 28800", "aten::conv2d", R"({"inputs":[[2,3,6,6],[6,3,4,4]],"padding":1})", {28800, 0, 288, 216, 300}},
    {"torch conv1d 1440", "aten::conv1d", R"({"input_shape":[2,3,6],"weight_shape":[6,3,4],"padding":1})", {1440, 0, 72, 36, 60}},
    {"torch conv_transpose2d 32", "aten::conv_transpose2d", R"({"inputs":[[1,1,2,2],[1,1,2,2]]})", {32, 0, 4, 4, 9}},
    {"torch conv2d 8", "aten::convolution", R"({"inputs":[[1,1,2,2],[1,1,1,1]],"bias":null})", {8, 0, 1, 4, 4}},
    {"torch ResNet-18 layer1 924844032, four of these",
     "nn.Conv2d",
     R"({"input_shape":[1,64,56,56],"out_channels":64,"kernel_size":3,"padding":"same"})",
     {924844032.0 / 4, 0, 36864, 200704, 200704}},
    {"torch mm 2000", "torch.ops.aten.mm.default", R"({"inputs":[[10,10],[10,10]]})", {2000, 0, 100, 100, 100}},
    {"torch sdpa 134217728; softmax on the vector unit",
     "aten::scaled_dot_product_attention",
     R"({"query":[4,8,128,64],"key":[4,8,128,64],"value":[4,8,128,64]})",
     {134217728, 5 * 4 * 8 * 128 * 128, 0, 262144, 262144, 524288}},
    {"torch CPU sdpa 12582912",
     "F.scaled_dot_product_attention",
     R"({"inputs":[[1,12,64,64],[1,12,64,64],[1,12,64,64]]})",
     {12582912, 5 * 12 * 64 * 64, 0, 49152, 49152, 98304}},
    {"torch GQA: FLOPs as with all heads, keys and values of the two heads there are",
     "attention",
     R"({"query":[4,8,128,64],"key":[4,2,128,64],"value":[4,2,128,64]})",
     {134217728, 5 * 4 * 8 * 128 * 128, 0, 262144, 262144, 131072}},

    {"torch sdpa 268435456, twice as many keys",
     "aten::_scaled_dot_product_flash_attention",
     R"({"inputs":[[4,8,128,64],[4,8,256,64],[4,8,256,64]]})",
     {268435456, 5 * 4 * 8 * 128 * 256, 0, 262144, 262144, 1048576}},
    {"torch sdpa backward 2.5 times forward",
     "aten::_scaled_dot_product_flash_attention_backward",
     R"({"inputs":[[4,8,128,64],[4,8,128,64],[4,8,128,64],[4,8,128,64],[4,8,128,64],[4,8,128]]})",
     {335544320, 4 * 524288 + 2 * 262144, 0, 3 * 262144, 3 * 262144, 524288}},
    {"torch sdpa backward, twice as many keys",
     "aten::_scaled_dot_product_efficient_attention_backward",
     R"({"inputs":[[4,8,128,64],[4,8,128,64],[4,8,256,64],[4,8,256,64]]})",
     {671088640, 4 * 1048576 + 2 * 262144, 0, 3 * 262144, 262144 + 1048576, 1048576}},
    {"torch flex_attention, half of the blocks masked: half of 134217728",
     "flex_attention",
     R"({"query":[4,8,128,64],"key":[4,8,128,64],"value":[4,8,128,64],"sparsity_hint":0.5})",
     {67108864, 5 * 4 * 8 * 64 * 128, 0, 262144, 262144, 524288}},
    {"torch conv backward: both gradients, twice 28800",
     "aten::convolution_backward",
     R"({"inputs":[[2,6,5,5],[2,3,6,6],[6,3,4,4]],"padding":1})",
     {57600, 0, 2 * 288, 300 + 216, 216}},
    {"torch conv backward of the weights alone, once 28800",
     "conv_backward",
     R"({"input_shape":[2,3,6,6],"output_channels":6,"kernel_size":4,"padding":1,"grad_input":false})",
     {28800, 0, 288, 300 + 216, 0}},
    {"torch conv_transpose backward: twice 32",
     "aten::convolution_backward",
     R"({"inputs":[[1,1,3,3],[1,1,2,2],[1,1,2,2]],"transposed":true})",
     {64, 0, 8, 9 + 4, 4}},
    {"torch linear layer backward, 8 x 9 to 10: twice 1440",
     "linear_backward",
     R"({"input_shape":[8,9],"weight_shape":[10,9]})",
     {2880, 0, 180, 80 + 72, 72}},

    // fvcore's tests: MACs times two.
    {"fvcore conv 303750",
     "Conv",
     R"({"input_shape":[5,10,15,15],"output_channels":3,"kernel_shape":[3,3],"pads":[1,1,1,1]})",
     {2 * 303750, 0, 270, 11250, 3375}},
    {"fvcore conv 108000",
     "Conv",
     R"({"input_shape":[2,10,20,20],"output_channels":6,"kernel_size":3,"padding":1,"stride":2})",
     {2 * 108000, 0, 540, 8000, 1200}},
    {"fvcore grouped 900000",
     "Conv",
     R"({"input_shape":[5,16,15,15],"output_channels":8,"kernel_size":5,"padding":2,"groups":4})",
     {2 * 900000, 0, 800, 18000, 9000}},
    {"fvcore grouped, one group per output channel 162000",
     "Conv",
     R"({"input_shape":[5,16,15,15],"output_channels":8,"kernel_size":3,"padding":1,"groups":8})",
     {2 * 162000, 0, 144, 18000, 9000}},
    {"fvcore conv3d 13668750",
     "Conv3D",
     R"({"input_shape":[5,10,15,15,15],"output_channels":3,"kernel_size":3,"padding":1})",
     {2 * 13668750, 0, 810, 168750, 50625}},
    {"fvcore conv1d 6750, unpadded input of 15 gives 13: padding 1",
     "Conv1D",
     R"({"input_shape":[5,10,15],"output_channels":3,"kernel_size":3,"padding":1})",
     {2 * 6750, 0, 90, 750, 225}},
    {"fvcore conv_transpose 303750, stride 2: 29 long",
     "ConvTranspose",
     R"({"input_shape":[5,10,15,15],"output_channels":3,"kernel_size":3,"padding":1,"stride":2})",
     {2 * 303750, 0, 270, 11250, 5 * 3 * 29 * 29}},
    {"fvcore conv_transpose 303750, stride 1: 15 long",
     "ConvTranspose",
     R"({"input_shape":[5,10,15,15],"output_channels":3,"kernel_size":3,"padding":1})",
     {2 * 303750, 0, 270, 11250, 3375}},
    {"fvcore conv_transpose 303750, stride 3, output padding 2: 45 long",
     "ConvTranspose",
     R"({"input_shape":[5,10,15,15],"output_channels":3,"kernel_size":3,"padding":1,"stride":3,"output_padding":2})",
     {2 * 303750, 0, 270, 11250, 5 * 3 * 45 * 45}},
    {"fvcore linear 160", "nn.Linear", R"({"input_shape":[5,8],"out_features":4,"bias":true})", {320, 0, 36, 40, 20}},
    {"fvcore linear 1000", "nn.Linear", R"({"input_shape":[5,10],"out_features":20})", {2000, 0, 200, 50, 100}},
    {"fvcore linear 5000", "nn.Linear", R"({"input_shape":[5,5,10],"out_features":20})", {10000, 0, 200, 250, 500}},
    {"fvcore matmul 20000 with a batch of 1", "MatMul", R"({"input_mat1":[1,20,10],"input_mat2":[1,10,100]})", {40000, 0, 1000, 200, 2000}},
    {"fvcore matmul 80000", "MatMul", R"({"input_mat1":[2,2,20,10],"input_mat2":[2,2,10,100]})", {160000, 0, 0, 800 + 4000, 8000}},
    {"fvcore matmul 40000, one matrix for both",
     "MatMul",
     R"({"input_mat1":[2,20,10],"input_mat2":[10,100]})",
     {80000, 0, 1000, 400, 4000}},
    {"fvcore einsum 120", "einsum", R"({"equation":"nct,ncp->ntp","inputs":[[1,5,2],[1,5,12]]})", {240, 0, 60, 10, 24}},
    {"fvcore einsum 60", "einsum", R"({"equation":"ntg,ncg->nct","inputs":[[1,2,6],[1,5,6]]})", {120, 0, 30, 12, 10}},
    {"fvcore einsum 72", "einsum", R"({"equation":"nc,nchw->hw","inputs":[[3,4],[3,4,2,3]]})", {144, 0, 72, 12, 6}},
    {"fvcore batch norm in training 10000",
     "BatchNorm2d",
     R"({"input_shape":[10,10,5,5],"affine":false,"training":true})",
     {0, 10000, 40, 2500, 2500}},
    {"fvcore batch norm in training 50000",
     "BatchNorm3d",
     R"({"input_shape":[10,10,5,5,5],"affine":false,"training":true})",
     {0, 50000, 40, 12500, 12500}},
    {"fvcore batch norm 32", "F.batch_norm", R"({"input_shape":[2,2,2,2]})", {0, 32, 8, 16, 16}},
    {"fvcore batch norm 16, not affine", "F.batch_norm", R"({"input_shape":[2,2,2,2],"affine":false})", {0, 16, 4, 16, 16}},
    {"fvcore batch norm in training 80", "F.batch_norm", R"({"input_shape":[2,2,2,2],"training":true})", {0, 80, 12, 16, 16}},
    {"fvcore ThreeNet: pooling 2000", "AdaptiveAvgPool2d", R"({"input_shape":[4,5,10,10],"output_size":1})", {0, 2000, 0, 2000, 20}},
    {"fvcore matmul 20000", "MatMul", R"({"input_mat1":[20,10],"input_mat2":[10,100]})", {40000, 0, 1000, 200, 2000}},
    {"fvcore mm 60", "mm", R"({"mat1":[3,4],"mat2":[4,5]})", {120, 0, 20, 12, 15}},
    {"fvcore bmm 240", "BatchMatMulV2", R"({"input_mat1":[2,2,5],"input_mat2":[2,5,12]})", {480, 0, 0, 20 + 120, 48}},
    {"fvcore batch norm 100: 10 x 10, not affine", "BatchNorm1d", R"({"input_shape":[10,10],"affine":false})", {0, 100, 20, 100, 100}},
    {"fvcore group norm 80", "GroupNorm", R"({"input_shape":[2,2,2,2]})", {0, 80, 4, 16, 16}},
    {"fvcore group norm 64", "GroupNorm", R"({"input_shape":[2,2,2,2],"affine":false})", {0, 64, 0, 16, 16}},
    {"fvcore bilinear upsampling 256", "Upsample", R"({"input_shape":[2,2,2,2],"scale_factor":2,"mode":"bilinear"})", {0, 256, 0, 16, 64}},
    {"fvcore adaptive pooling of 2000 elements",
     "AdaptiveAvgPool2d",
     R"({"input_shape":[1,5,20,20],"output_size":1})",
     {0, 2000, 0, 2000, 5}},

    // LLM-Viewer's table for Llama-2-7B, FP16: bytes over two.
    {"LLM-Viewer decode q_proj", "gemm", R"({"m":1,"n":4096,"k":4096})", {33554432, 0, 33554432 / 2, 8192 / 2, 8192 / 2}},
    {"LLM-Viewer prefill q_proj",
     "Linear",
     R"({"input_shape":[1,2048,4096],"weight_shape":[4096,4096]})",
     {68719476736, 0, 33554432 / 2, 16777216 / 2, 16777216 / 2}},
    {"LLM-Viewer prefill down_proj",
     "FullyConnected",
     R"({"input_shape":[2048,11008],"out_features":4096})",
     {184683593728, 0, 90177536 / 2, 45088768 / 2, 16777216 / 2}},
    {"LLM-Viewer decode gate_proj", "gemv", R"({"n":11008,"k":4096})", {90177536, 0, 90177536 / 2, 8192 / 2, 22016 / 2}},
    {"LLM-Viewer prefill qk: activations alone, keys among them",
     "bmm",
     R"({"batch":32,"m":2048,"n":2048,"k":128})",
     {34359738368, 0, 0, 16777216 / 2 + 16777216 / 2, 268435456 / 2}},
    {"LLM-Viewer prefill softmax",
     "Softmax",
     R"({"input_shape":[1,32,2048,2048],"axis":-1})",
     {0, 671088640, 0, 268435456 / 2, 268435456 / 2}},
    {"LLM-Viewer prefill norm",
     "aten::layer_norm",
     R"({"input_shape":[1,2048,4096],"affine":false})",
     {0, 58720256, 0, 16777216 / 2, 16777216 / 2}},
    {"LLM-Viewer prefill flash FLOPs, ideal traffic",
     "flash_attention",
     R"({"heads":32,"head_dim":128,"query_length":2048})",
     {2 * 34359738368.0, 671088640, 0, 8388608, 8388608, 16777216}},
    {"LLM-Viewer decode flash FLOPs and keys and values",
     "attention",
     R"({"heads":32,"head_dim":128,"query_length":1,"context":2048})",
     {2 * 16777216, 327680, 0, 4096, 4096, 33554432 / 2}},

    // The precision calculator: FP16 bytes over two.
    {"calculator gemv 33554432 FLOPs, 33570816 bytes",
     "gemv",
     R"({"input_mat1":[4096,4096],"input_mat2":[4096]})",
     {33554432, 0, 16777216, 4096, 4096}},
    {"calculator gemm 4096 cubed, 100663296 bytes",
     "gemm",
     R"({"m":4096,"n":4096,"k":4096})",
     {137438953472, 0, 16777216, 16777216, 16777216}},
    {"calculator attention 68719476736 FLOPs, 67108864 bytes",
     "attention",
     R"({"batch":1,"heads":32,"query_length":2048,"context":2048,"head_dim":128})",
     {68719476736, 671088640, 0, 8388608, 8388608, 16777216}},

    // By hand.
    {"3x3 over 4x4, padded 1 before and 2 after: 5x5 positions",
     "conv2d",
     R"({"input_shape":[1,1,4,4],"output_channels":1,"kernel_size":3,"padding":[[1,2],[1,2]]})",
     {2 * 25 * 9, 0, 9, 16, 25}},
    {"the same, ONNX order: all befores, then all afters",
     "Conv",
     R"({"input_shape":[1,1,4,4],"output_channels":1,"kernel_size":3,"pads":[1,0,2,0]})",
     {2 * 5 * 2 * 9, 0, 9, 16, 10}},
    {"kernel 3 dilated by 2 spans 5: 7 - 5 + 1 = 3",
     "conv1d",
     R"({"input_shape":[1,1,7],"output_channels":1,"kernel_size":3,"dilation":2})",
     {2 * 3 * 3, 0, 3, 7, 3}},
    {"SAME, 7 by stride 2 is 4",
     "Conv2D",
     R"({"input_shape":[1,7,7,3],"filters":8,"kernel_size":3,"strides":2,"padding":"SAME","data_format":"NHWC"})",
     {2 * 16 * 8 * 3 * 9, 0, 216, 147, 128}},
    {"VALID, (7 - 3) / 2 + 1 = 3",
     "Conv2D",
     R"({"input_shape":[1,7,7,3],"filters":8,"kernel_size":3,"strides":2,"padding":"VALID","data_format":"NHWC"})",
     {2 * 9 * 8 * 3 * 9, 0, 216, 147, 72}},
    {"depthwise 3x3: one kernel per channel, bias of 16",
     "DepthwiseConv2dNative",
     R"({"input_shape":[1,16,8,8],"kernel_size":3,"padding":1,"bias":true})",
     {2 * 64 * 16 * 9, 0, 160, 1024, 1024}},
    {"four spatial dimensions of 3, kernel 2: 2^4 positions, 2^4 taps",
     "conv",
     R"({"input_shape":[1,1,3,3,3,3],"output_channels":1,"kernel_size":2})",
     {2 * 16 * 16, 0, 16, 81, 16}},
    {"transposed, (3 - 1) * 2 - 2 + 3 + 1 = 6",
     "conv",
     R"({"input_shape":[1,4,3],"output_channels":2,"kernel_size":3,"stride":2,"padding":1,"output_padding":1,"transposed":true})",
     {2 * 3 * 4 * 2 * 3, 0, 24, 12, 12}},
    {"batches 2x1 and 3 broadcast to 6 products",
     "matmul",
     R"({"input_mat1":[2,1,4,5],"input_mat2":[3,5,6]})",
     {2 * 6 * 120, 0, 0, 40 + 90, 144}},
    {"transposed operands",
     "matmul",
     R"({"input_mat1":[5,4],"input_mat2":[6,5],"transpose_a":true,"transpose_b":true})",
     {240, 0, 30, 20, 24}},
    {"vector times matrix", "matmul", R"({"input_mat1":[5],"input_mat2":[5,6]})", {60, 0, 30, 5, 6}},
    {"the C of a Gemm is an activation", "Gemm", R"({"inputs":[[4,5],[5,6],[4,6]]})", {240, 0, 30, 20 + 24, 24}},
    {"a linear layer's batches share the weight", "linear", R"({"batch":2,"m":4,"k":5,"n":6,"bias":true})", {480, 0, 36, 40, 48}},
    {"[2,3,1] + [4]: 24 sums from 6 and 4 elements", "add", R"({"input_self":[2,3,1],"input_other":[4]})", {0, 24, 0, 10, 24}},
    {"three operands of 4", "where", R"({"inputs":[[4],[4],[4]]})", {0, 4, 0, 12, 4}},
    {"silu is 4 per element", "nn.SiLU", R"({"input_shape":[10]})", {0, 40, 0, 10, 10}},
    {"cast moves, and computes nothing", "aten::to", R"({"input_shape":[10]})", {0, 0, 0, 10, 10}},
    {"sum over the rows of 3x4", "ReduceSum", R"({"input_shape":[3,4],"axis":0,"keepdims":true})", {0, 12, 0, 12, 4}},
    {"mean of everything: 12 additions, one division", "aten::mean", R"({"input_shape":[3,4]})", {0, 13, 0, 12, 1}},
    {"max along an axis is a reduction", "aten::max", R"({"input_self":[3,4],"dim":-1})", {0, 12, 0, 12, 3}},
    {"max of two is not", "aten::max.other", R"({"input_self":[3,4],"input_other":[4]})", {0, 12, 0, 16, 12}},
    {"RMS norm: 4 per element, one weight per column", "RMSNorm", R"({"input_shape":[2,8]})", {0, 64, 8, 16, 16}},
    {"batch norm: 2 per element; mean, variance, scale, shift",
     "FusedBatchNormV3",
     R"({"input_shape":[1,2,2,3],"data_format":"NHWC"})",
     {0, 24, 12, 12, 12}},
    {"3x3 windows by 2 over 7x7: 9 of them",
     "MaxPool2d",
     R"({"input_shape":[1,2,7,7],"kernel_size":3,"stride":2})",
     {0, 2 * 9 * 9, 0, 98, 18}},
    {"stride is the kernel's size; 7 by 2 rounded up is 4",
     "avg_pool2d",
     R"({"input_shape":[1,1,7,7],"kernel_size":2,"ceil_mode":true})",
     {0, 16 * 4, 0, 49, 16}},
    {"global pooling", "GlobalAveragePool", R"({"input_shape":[1,2,7,7]})", {0, 98, 0, 98, 2}},
    {"nearest copies", "aten::upsample_nearest2d", R"({"input_shape":[1,1,2,2],"output_size":[4,6]})", {0, 0, 0, 4, 24}},
    {"a view is counted as a copy", "aten::view", R"({"input_shape":[2,6],"output_shape":[3,4]})", {0, 0, 0, 12, 12}},
    {"2x3 and 4x3 make 6x3", "Concat", R"({"inputs":[[2,3],[4,3]],"axis":0})", {0, 0, 0, 18, 18}},
    {"a slice reads what it keeps", "Slice", R"({"input_shape":[100],"output_shape":[7]})", {0, 0, 0, 7, 7}},
    {"2x2 padded by one column before and two after", "Pad", R"({"input_shape":[2,2],"pad":[[0,0],[1,2]]})", {0, 0, 0, 4, 10}},
    {"the same as PyTorch writes it, last dimension first", "F.pad", R"({"input_shape":[2,2],"pad":[1,2]})", {0, 0, 0, 4, 10}},
    {"tiled twice along each", "Tile", R"({"input_shape":[2,2],"repeats":[2,2]})", {0, 0, 0, 4, 16}},
    {"zeros are written only", "zeros", R"({"output_shape":[5]})", {0, 0, 0, 0, 5}},
    {"embedding: 3 rows of 8 read, not 1000, and 3 indices",
     "nn.Embedding",
     R"({"num_embeddings":1000,"embedding_dim":8,"indices_shape":[1,3]})",
     {0, 0, 24, 3, 24}},
    {"gather: 3 rows of 8 and 3 indices", "Gather", R"({"input_shape":[1000,8],"indices_shape":[3]})", {0, 0, 0, 27, 24}},
    {"causal 4 x 4: 1 + 2 + 3 + 4 pairs",
     "attention",
     R"({"heads":1,"head_dim":8,"query_length":4,"causal":true})",
     {2 * 10 * 16, 50, 0, 32, 32, 64}},
    {"causal, 2 new tokens of 5: 4 + 5 pairs",
     "attention",
     R"({"heads":1,"head_dim":8,"query_length":2,"context":5,"causal":true})",
     {2 * 9 * 16, 45, 0, 16, 16, 80}},
    {"einsum over a batch: the second operand has one, too",
     "einsum",
     R"({"equation":"bij, bjk -> bik","inputs":[[2,3,4],[2,4,5]]})",
     {2 * 2 * 3 * 4 * 5, 0, 0, 24 + 40, 2 * 3 * 5}},
    {"einsum without an arrow: b and j occur twice, and are summed over",
     "einsum",
     R"({"equation":"bij,bjk","inputs":[[2,3,4],[2,4,5]]})",
     {2 * 2 * 3 * 4 * 5, 0, 40, 24, 3 * 5}},
    {"einsum that sums nothing multiplies", "einsum", R"({"equation":"i,j->ij","inputs":[[3],[4]]})", {0, 12, 0, 7, 12}},
    {"batched products backward: both operands are activations",
     "matmul_backward",
     R"({"batch":2,"m":3,"n":5,"k":4})",
     {2 * 2 * 2 * 3 * 5 * 4, 0, 0, 30 + 24 + 40, 24 + 40}},
    {"attention backward of 2 heads that share keys of 3 and values of 2, causal: 2 x 2 - 1 pairs",
     "attention_backward",
     R"({"query":[1,2,2,3],"key":[1,1,2,3],"value":[1,1,2,2],"causal":true})",
     {2 * 2 * 3 * (3 * 3 + 2 * 2), 4 * 2 * 3 + 2 * 2 * 2 * 2, 0, 2 * 2 * (3 + 2 * 2), 2 * 2 * 3 + 2 * 5, 2 * 5}},
    {"length before heads",
     "attention",
     R"({"query":[2,5,4,8],"key":[2,7,4,8],"value":[2,7,4,6],"data_format":"BSHD"})",
     {2 * 2 * 4 * 35 * 14, 5 * 2 * 4 * 35, 0, 320, 240, 2 * 4 * 7 * 14}},
};

}  // namespace

TEST_CASE("operators give the figures of other tools' tests and of hand calculation") {
  for (const Figure& f : figures) {
    INFO(f.source);
    const Result<Work> work = derive(f.type, f.json);
    if (!work) FAIL(work.error().text());
    CHECK(work->matrix_flops == f.work.matrix_flops);
    CHECK(work->vector_flops == f.work.vector_flops);
    CHECK(work->weight == f.work.weight);
    CHECK(work->activation == f.work.activation);
    CHECK(work->output == f.work.output);
    CHECK(work->kv_read == f.work.kv_read);
    CHECK(work->kv_write == 0);
  }
}

TEST_CASE("whole tests of other tools come out as sums of operations") {
  struct Part {
    const char* type;
    const char* json;
    double times = 1;
  };
  struct Sum {
    const char* source;
    double matrix_flops;
    std::vector<Part> parts;
  };
  const auto conv = [](const char* json, double times) {
    return std::vector<Part>{{"aten::convolution", json, times}, {"conv_backward", json, times}};
  };
  // Shapes of ResNet-18 at 224 x 224; each convolution forward and backward, its input's gradient included.
  std::vector<Part> resnet;
  for (const auto& parts : {
           conv(R"({"input_shape":[1,3,224,224],"output_channels":64,"kernel_size":7,"stride":2,"padding":3})", 1),
           conv(R"({"input_shape":[1,64,56,56],"output_channels":64,"kernel_size":3,"padding":1})", 4),
           conv(R"({"input_shape":[1,64,56,56],"output_channels":128,"kernel_size":3,"stride":2,"padding":1})", 1),
           conv(R"({"input_shape":[1,64,56,56],"output_channels":128,"kernel_size":1,"stride":2})", 1),
           conv(R"({"input_shape":[1,128,28,28],"output_channels":128,"kernel_size":3,"padding":1})", 3),
           conv(R"({"input_shape":[1,128,28,28],"output_channels":256,"kernel_size":3,"stride":2,"padding":1})", 1),
           conv(R"({"input_shape":[1,128,28,28],"output_channels":256,"kernel_size":1,"stride":2})", 1),
           conv(R"({"input_shape":[1,256,14,14],"output_channels":256,"kernel_size":3,"padding":1})", 3),
           conv(R"({"input_shape":[1,256,14,14],"output_channels":512,"kernel_size":3,"stride":2,"padding":1})", 1),
           conv(R"({"input_shape":[1,256,14,14],"output_channels":512,"kernel_size":1,"stride":2})", 1),
           conv(R"({"input_shape":[1,512,7,7],"output_channels":512,"kernel_size":3,"padding":1})", 3),
       })
    resnet.insert(resnet.end(), parts.begin(), parts.end());
  resnet.push_back({"linear", R"({"input_shape":[1,512],"out_features":1000,"bias":true})"});
  resnet.push_back({"linear_backward", R"({"input_shape":[1,512],"out_features":1000})"});

  const char* layer1 = R"({"input_shape":[1,64,56,56],"output_channels":64,"kernel_size":3,"padding":1})";
  const char* scores = R"({"batch":32,"m":128,"n":128,"k":64})";  // of the unfused attention: Q K'
  const char* mixed = R"({"batch":32,"m":128,"n":64,"k":128})";   // and P V
  const char* heads = R"({"query":[4,8,128,64],"key":[4,8,128,64],"value":[4,8,128,64]})";
  const char* longer = R"({"query":[4,8,128,64],"key":[4,8,256,64],"value":[4,8,256,64]})";
  const Sum sums[] = {
      {"torch, variety",
       3012,
       {{"mm", R"({"inputs":[[4,5],[5,6]]})"},
        {"addmm", R"({"inputs":[[4,6],[4,5],[5,6]]})"},
        {"matmul", R"({"inputs":[[5,6],[6,7]]})"},
        {"einsum", R"({"equation":"ab,bc->ac","inputs":[[6,7],[7,8]]})"},
        {"linear", R"({"input_shape":[8,9],"out_features":10,"bias":true})"}}},
      {"torch, backward: only the first operands want a gradient",
       5184,
       {{"mm", R"({"m":4,"n":6,"k":5})"},
        {"matmul_backward", R"({"m":4,"n":6,"k":5,"grad_weight":false})"},
        {"bmm", R"({"batch":7,"m":4,"n":7,"k":6})"},
        {"matmul_backward", R"({"batch":7,"m":4,"n":7,"k":6,"grad_weight":false})"}}},
      {"torch, backward twice", 960, {{"mm", R"({"m":4,"n":4,"k":5})", 2}, {"matmul_backward", R"({"m":4,"n":4,"k":5})", 2}}},
      {"torch, autograd function", 750, {{"mm", R"({"m":5,"n":5,"k":5})"}, {"matmul_backward", R"({"m":5,"n":5,"k":5})"}}},
      {"torch, pytrees: forward and backward of one product of 10",
       6000,
       {{"mm", R"({"m":10,"n":10,"k":10})"}, {"matmul_backward", R"({"m":10,"n":10,"k":10})"}}},
      {"torch, pytrees: of two", 12000, {{"mm", R"({"m":10,"n":10,"k":10})", 2}, {"matmul_backward", R"({"m":10,"n":10,"k":10})", 2}}},
      {"torch, ResNet-18 forward and backward", 10884440064, resnet},
      {"torch, ResNet-18's first layer", 924844032, {{"conv", layer1, 4}}},
      {"torch, the same backward", 1849688064, {{"conv_backward", layer1, 4}}},
      {"torch, attention as two products", 134217728, {{"bmm", scores}, {"bmm", mixed}}},
      {"torch, the same with its gradients: 3 times forward",
       402653184,
       {{"bmm", scores}, {"bmm", mixed}, {"matmul_backward", scores}, {"matmul_backward", mixed}}},
      {"torch, fused attention with its gradients: 3.5 times", 469762048, {{"attention", heads}, {"attention_backward", heads}}},
      {"torch, the same with twice as many keys", 939524096, {{"attention", longer}, {"attention_backward", longer}}},
      {"fvcore, ThreeNet: 4000 + 72 MACs",
       2 * 4072,
       {{"conv", R"({"input_shape":[4,2,10,10],"output_channels":5,"kernel_size":1,"bias":true})"},
        {"linear", R"({"input_shape":[4,5],"out_features":3})"},
        {"linear", R"({"input_shape":[4,3],"out_features":1})"}}},
      {"fvcore, the example of its documentation: 10000 + 3000 MACs",
       2 * 13000,
       {{"linear", R"({"input_shape":[1,1000],"out_features":10})"},
        {"conv", R"({"input_shape":[1,3,10,10],"output_channels":10,"kernel_size":1})"}}},
  };
  for (const Sum& sum : sums) {
    double flops = 0;
    for (const Part& part : sum.parts) {
      INFO(sum.source << ": " << part.type << " " << part.json);
      const Result<Work> work = derive(part.type, part.json);
      if (!work) FAIL(work.error().text());
      flops += part.times * work->matrix_flops;
    }
    INFO(sum.source);
    CHECK(flops == sum.matrix_flops);
  }
}

TEST_CASE("where PyTorch's counter counts otherwise, both figures are known") {
  // is_causal=True there, and every pair counted; here only those that are not masked: 128 * 129 / 2 of 128 * 128.
  const Result<Work> all = derive("attention", R"({"query":[4,8,128,64],"key":[4,8,128,64],"value":[4,8,128,64]})");
  const Result<Work> causal = derive("attention", R"({"query":[4,8,128,64],"key":[4,8,128,64],"value":[4,8,128,64],"is_causal":true})");
  REQUIRE((all && causal));
  CHECK(all->matrix_flops == 134217728);
  CHECK(causal->matrix_flops == 134217728 / 2 * (129.0 / 128));
}

TEST_CASE("the formulas shown give the work derived") {
  std::set<const Operator*> seen;
  for (const Figure& f : figures) {
    const Operator* op = find_operator(f.type);
    seen.insert(op);
    Trace trace;
    const Result<Work> work = derive(f.type, f.json, &trace);
    REQUIRE(work);
    Keys keys;
    Variables variables;
    std::vector<double> values;
    for (const auto& [symbol, value] : trace.symbols) {
      variables.names.emplace_back(symbol);
      values.push_back(value);
    }
    std::set<std::string_view> stated;
    for (const Formula& formula : op->formulas) {
      INFO(f.source << ": " << formula.quantity << " = " << formula.expression);
      const auto expression = Expression::compile(formula.expression, keys, variables);
      REQUIRE(expression);
      const Result<double> value = expression->evaluate(Record(keys.size()), values);
      if (!value) FAIL(value.error().text());
      CHECK(*value == value_of(*work, formula.quantity));
      stated.insert(formula.quantity);
    }
    for (const char* quantity : {"matrix_flops", "vector_flops", "weight", "activation", "output", "kv_read"}) {
      INFO(f.source << ": " << quantity);
      CHECK((value_of(*work, quantity) == 0 || stated.count(quantity) == 1));
    }
  }
  for (const Operator* op : operators()) {
    INFO(op->id);
    CHECK((seen.count(op) == 1 || op->family == OpFamily::elementwise || op->family == OpFamily::reduction ||
           op->family == OpFamily::resampling || op->family == OpFamily::data_movement));
  }
}

TEST_CASE("FLOPs per element of element-wise operations") {
  const std::pair<const char*, double> table[] = {
      {"add", 1},        {"sub", 1},        {"mul", 1},   {"div", 1},      {"max", 1},      {"min", 1},   {"pow", 1},
      {"relu", 1},       {"relu6", 2},      {"gelu", 8},  {"silu", 4},     {"tanh", 1},     {"exp", 1},   {"sigmoid", 4},
      {"leaky_relu", 2}, {"hard_swish", 5}, {"elu", 3},   {"rope", 3},     {"silu_mul", 5}, {"sqrt", 1},  {"cast", 0},
      {"copy", 0},       {"neg", 1},        {"clamp", 2}, {"softplus", 3}, {"mish", 5},     {"where", 1},
  };
  for (const auto& [type, flops] : table) {
    INFO(type);
    const Result<Work> work = derive(type, R"({"input_shape":[4,25]})");
    REQUIRE(work);
    CHECK(work->vector_flops == 100 * flops);
    CHECK(work->output == 100);
  }
}

TEST_CASE("what is wrong with a record is said") {
  struct Fault {
    const char* type;
    const char* json;
    const char* text;
  };
  const Fault faults[] = {
      {"conv", R"({"output_channels":1,"kernel_size":3})", "input_shape: missing: expected a shape, a list of positive whole numbers"},
      {"conv", R"({"input_shape":[1,64,0,224],"output_channels":1,"kernel_size":3})",
       "input_shape: dimension 2 is 0: expected a positive whole number"},
      {"conv", R"({"input_shape":[1,-64,224,224],"output_channels":1,"kernel_size":3})",
       "input_shape: dimension 1 is -64: expected a positive whole number"},
      {"conv", R"({"input_shape":[1,64,22.5,224],"output_channels":1,"kernel_size":3})",
       "input_shape: dimension 2 is 22.5: expected a positive whole number"},
      {"conv", R"({"input_shape":[1,"64",9,9],"output_channels":1,"kernel_size":3})",
       "input_shape: dimension 1 is not a number: expected a positive whole number"},
      {"conv", R"({"input_shape":[1,NaN,9,9],"output_channels":1,"kernel_size":3})",
       "input_shape: dimension 1 is not a number: expected a positive whole number"},
      {"conv", R"({"input_shape":[1,1e300,9,9],"output_channels":1,"kernel_size":3})",
       "input_shape: dimension 1 is 1e+300: expected at most 9007199254740992 (2^53)"},
      {"conv", R"({"input_shape":[1,Infinity,9,9],"output_channels":1,"kernel_size":3})",
       "input_shape: dimension 1 is inf: expected at most 9007199254740992 (2^53)"},
      {"conv", R"({"input_shape":"1x64","output_channels":1,"kernel_size":3})",
       "input_shape: is a string: expected a shape, a list of positive whole numbers"},
      {"conv", R"({"input_shape":[[1,64]],"output_channels":1,"kernel_size":3})",
       "input_shape: is a list of lists: expected a shape, a list of positive whole numbers"},
      {"conv", R"({"input_shape":[64,224],"output_channels":1,"kernel_size":3})",
       "input_shape: [64, 224] has 2 dimensions: expected at least 3"},
      {"conv", R"({"input_shape":[1,64,9,9],"kernel_size":3})", "output_channels: missing: expected a positive whole number"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":0,"kernel_size":3})",
       "output_channels: is 0: expected a positive whole number"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":1})",
       "kernel_size: missing: expected a whole number, or one for each spatial dimension"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":1,"kernel_size":[1,3,3]})",
       "kernel_size: [1, 3, 3] has 3 numbers: expected 2, one for each spatial dimension"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":1,"kernel_size":[3,0]})",
       "kernel_size: dimension 1 is 0: expected a positive whole number"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":1,"kernel_size":3,"stride":0})",
       "stride: is 0: expected a positive whole number"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":1,"kernel_size":3,"stride":[1,-2]})",
       "stride: dimension 1 is -2: expected a positive whole number"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":1,"kernel_size":3,"padding":-1})",
       "padding: is -1: expected a whole number, 0 or more"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":1,"kernel_size":3,"padding":[[0,-1],[0,0]]})",
       "padding: dimension 1 is -1: expected a whole number, 0 or more"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":1,"kernel_size":3,"padding":[[0,1],[1]]})",
       "padding: element 1 is [1]: expected [before, after]"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":1,"kernel_size":3,"padding":"HALF"})",
       "padding: is \"HALF\": expected SAME, VALID, a whole number or a list"},
      {"conv", R"({"input_shape":[1,64,9,5],"output_channels":1,"kernel_size":4,"padding":[1,1],"dilation":3})",
       "kernel_size: spans 10 of spatial dimension 1: expected at most the padded input, 7"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":8,"kernel_size":3,"groups":3})",
       "groups: is 3: expected a divisor of the 64 input channels"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":6,"kernel_size":3,"groups":4})",
       "groups: is 4: expected a divisor of the 6 output channels"},
      {"conv", R"({"input_shape":[1,64,9,9],"weight_shape":[8,32,3,3],"groups":1})",
       "weight_shape: [8, 32, 3, 3] has 32 input channels: expected 64"},
      {"conv", R"({"input_shape":[1,64,9,9],"weight_shape":[8,64,3]})",
       "weight_shape: [8, 64, 3] has 3 dimensions: expected 4, as many as the input"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":8,"kernel_size":3,"bias":[7]})",
       "bias: [7]: expected one number for each of the 8 output channels"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":8,"kernel_size":3,"bias":"yes"})",
       "bias: is a string: expected true or false"},
      {"conv", R"({"input_shape":[1,64,9,9],"output_channels":8,"kernel_size":3,"data_format":"HWCN"})",
       "data_format: is \"HWCN\": expected NCHW, NHWC or the like"},
      {"conv", R"({"input_shape":[1e15,1e15,9,9],"output_channels":8,"kernel_size":3})",
       "input_shape: the shapes multiply to 7.056e+33 FLOPs: expected fewer than 2^63 (9.2e18)"},
      {"ConvTranspose", R"({"input_shape":[1,4,1],"output_channels":8,"kernel_size":3,"padding":2})",
       "padding: leaves -1 of spatial dimension 0 of the output: expected at least 1"},
      {"matmul", "{}", "input_mat1: missing: expected input_mat1 and input_mat2, or input_shape and weight_shape, or m, n and k"},
      {"matmul", R"({"input_mat1":[4,5]})", "input_mat2: missing: expected a shape, a list of positive whole numbers"},
      {"matmul", R"({"input_mat1":[4,5],"input_mat2":[6,7]})",
       "input_mat2: [6, 7] has an inner dimension of 6: expected 5, as input_mat1 [4, 5] has"},
      {"matmul", R"({"input_mat1":[2,4,5],"input_mat2":[3,5,7]})",
       "input_mat2: batches of [3, 5, 7] do not broadcast with those of input_mat1 [2, 4, 5]"},
      {"matmul", R"({"m":4,"n":0,"k":5})", "n: is 0: expected a positive whole number"},
      {"matmul", R"({"m":4,"n":5})", "k: missing: expected a positive whole number"},
      {"addmm", R"({"input_input":[7],"input_mat1":[4,5],"input_mat2":[5,6]})",
       "input_input: [7] does not broadcast to the product, 4 rows of 6"},
      {"linear", R"({"input_shape":[4,5],"weight_shape":[6,7]})",
       "weight_shape: [6, 7]: expected [N, 5], the last being the last of the input"},
      {"mul", R"({"input_other":[4]})", "input_self: missing: expected a shape, a list of positive whole numbers"},
      {"mul", R"({"input_self":[2,3],"input_other":[2,4]})", "input_other: [2, 4] does not broadcast with [2, 3]"},
      {"mul", R"({"input_self":[2,3],"input_other":[3],"output_shape":[2]})",
       "output_shape: [2] has 2 elements: expected 6, as the inputs give"},
      {"mul", R"({"inputs":[[2],[2],[3]]})", "inputs: do not broadcast: [2] and the 2 after it"},
      {"mul", R"({"inputs":[2,3]})", "inputs: is a list: expected a list of shapes"},
      {"sum", R"({"input_shape":[2,3],"axis":2})", "axis: is 2: expected a whole number from -2 to 1"},
      {"sum", R"({"input_shape":[2,3],"axis":[0,-2]})", "axis: [0, -2] names dimension 0 twice"},
      {"layer_norm", R"({"input_shape":[2,3],"normalized_shape":[2]})",
       "normalized_shape: [2]: expected the last dimensions of the input [2, 3]"},
      {"pool", R"({"input_shape":[1,1,2,2],"kernel_size":3})",
       "kernel_size: spans 3 of spatial dimension 0: expected at most the padded input, 2"},
      {"resize", R"({"input_shape":[1,1,2,2]})", "output_size: missing: expected output_size or scale_factor"},
      {"resize", R"({"input_shape":[1,1,2,2],"scale_factor":0.1})",
       "scale_factor: is 0.1: expected a positive number that leaves at least 1 of 2"},
      {"reshape", R"({"input_shape":[2,3],"output_shape":[4]})", "output_shape: [4] has 4 elements: expected 6, as the input has"},
      {"concat", R"({"inputs":[[2,3],[2,4],[3,3]]})",
       "inputs: [3, 3] does not fit [2, 3]: expected shapes that differ along the axis only"},
      {"concat", R"({"inputs":[[2,3],[2,4]],"axis":0})",
       "inputs: [2, 4] does not fit [2, 3]: expected shapes that differ along the axis only"},
      {"slice", R"({"input_shape":[2,3],"output_shape":[7]})", "output_shape: [7] is larger than the input [2, 3]"},
      {"pad", R"({"input_shape":[2,3],"pad":[1,-1]})", "pad: dimension 1 is -1: expected a whole number, 0 or more"},
      {"attention", "{}", "query: missing: expected query, key and value, or heads, head_dim and query_length"},
      {"attention", R"({"heads":8,"kv_heads":3,"head_dim":64,"query_length":1})",
       "kv_heads: has 3 heads: expected a divisor of the 8 query heads"},
      {"attention", R"({"query":[1,8,4,64],"key":[1,8,4,32]})",
       "key: [1, 8, 4, 32] does not fit query [1, 8, 4, 64]: expected the same batch and head size"},
      {"attention", R"({"heads":8,"head_dim":64,"query_length":4,"context":2,"causal":true})",
       "causal: is true with 4 queries and 2 keys: expected at least as many keys"},
      {"attention", R"({"heads":8,"head_dim":64,"query_length":4,"sparsity":1})",
       "sparsity: is 1: expected a number from 0 up to 1, 1 excluded"},
      {"attention", R"({"heads":8,"head_dim":64,"query_length":4,"sparsity":"half"})",
       "sparsity: is a string: expected a number from 0 to 1"},
      {"conv_backward", R"({"input_shape":[1,3,9,9],"output_channels":2,"kernel_size":3,"grad_input":false,"grad_weight":false})",
       "grad_weight: is false, and grad_input is: expected one gradient at least"},
      {"matmul_backward", "{}", "input_mat1: missing: expected input_mat1 and input_mat2, or input_shape and weight_shape, or m, n and k"},
      {"einsum", R"({"inputs":[[4,6],[6,5]]})", "equation: missing: expected two operands such as bij,bjk->bik, letters alone"},
      {"einsum", R"({"equation":"ij,jk->iz","inputs":[[4,6],[6,5]]})",
       "equation: is \"ij,jk->iz\": expected two operands such as bij,bjk->bik, letters alone"},
      {"einsum", R"({"equation":"ij,jk,kl","inputs":[[4,6],[6,5],[5,5]]})",
       "equation: is \"ij,jk,kl\": expected two operands such as bij,bjk->bik, letters alone"},
      {"einsum", R"({"equation":"...ij,jk","inputs":[[4,6],[6,5]]})",
       "equation: is \"...ij,jk\": expected two operands such as bij,bjk->bik, letters alone"},
      {"einsum", R"({"equation":"ij,jk->ik","inputs":[[4,6]]})", "inputs: has 1 shapes: expected 2"},
      {"einsum", R"({"equation":"ij,jk->ik","inputs":[[4,6,1],[6,5]]})", "inputs: [4, 6, 1] has 3 dimensions: expected 2, as ij has"},
      {"einsum", R"({"equation":"ij,jk->ik","inputs":[[4,6],[7,5]]})", "inputs: have lengths of 6 and 7 for j: expected the same"},
      {"embedding", R"({"indices_shape":[3]})", "hidden: missing: expected a positive whole number"},
      {"gather", R"({"input_shape":[10,8],"indices_shape":[3],"axis":2})", "axis: is 2: expected a whole number from -2 to 1"},
  };
  for (const Fault& f : faults) {
    INFO(f.type << " " << f.json);
    Trace trace;
    const Result<Work> work = derive(f.type, f.json);
    REQUIRE_FALSE(work);
    CHECK(work.error().path + ": " + work.error().message == f.text);
    CHECK_FALSE(derive(f.type, f.json, &trace));
  }
}

TEST_CASE("names as NPU and framework users write them") {
  const std::pair<const char*, const char*> names[] = {
      {"ID_CONV", "conv"},
      {"conv2d", "conv"},
      {"Conv", "conv"},
      {"aten::convolution", "conv"},
      {"CONV_2D", "conv"},
      {"nn.Conv3d", "conv"},
      {"onnx::Conv", "conv"},
      {"stablehlo.convolution", "conv"},
      {"torch.nn.functional.conv1d", "conv"},
      {"aten::_convolution", "conv"},
      {"DEPTHWISE_CONV_2D", "depthwise_conv"},
      {"id_conv_transpose", "conv_transpose"},
      {"tf.nn.conv2d_transpose", "conv_transpose"},
      {"ID_MM", "matmul"},
      {"MatMul", "matmul"},
      {"gemm", "matmul"},
      {"BatchMatMul", "matmul"},
      {"BatchMatMulV2", "matmul"},
      {"ID_BMM", "matmul"},
      {"xla.dot_general", "matmul"},
      {"hlo::dot", "matmul"},
      {"aten.mm.default", "matmul"},
      {"ID_ADDMM", "addmm"},
      {"aten::addmm.out", "addmm"},
      {"FullyConnected", "linear"},
      {"FULLY_CONNECTED", "linear"},
      {"Linear", "linear"},
      {"tf.keras.layers.Dense", "linear"},
      {"aten::mv", "gemv"},
      {"ID_MUL", "mul"},
      {"aten::mul_", "mul"},
      {"aten::add.Tensor", "add"},
      {"torch.ops.aten.add.Scalar", "add"},
      {"RealDiv", "div"},
      {"Maximum", "max"},
      {"AddV2", "add"},
      {"aten::relu_", "relu"},
      {"nn.GELU", "gelu"},
      {"HardSwish", "hard_swish"},
      {"Cast", "cast"},
      {"aten::_to_copy", "cast"},
      {"hlo.convert", "cast"},
      {"ReduceMean", "mean"},
      {"aten::sum.dim_IntList", "sum"},
      {"ReduceMax", "reduce_max"},
      {"aten::_softmax", "softmax"},
      {"LogSoftmax", "softmax"},
      {"LayerNormalization", "layer_norm"},
      {"aten::native_layer_norm", "layer_norm"},
      {"RMSNorm", "rms_norm"},
      {"FusedBatchNormV3", "batch_norm"},
      {"MaxPool", "pool"},
      {"AVERAGE_POOL_2D", "pool"},
      {"GlobalAveragePool", "adaptive_pool"},
      {"ResizeBilinear", "resize_linear"},
      {"aten::permute", "transpose"},
      {"Reshape", "reshape"},
      {"ConcatV2", "concat"},
      {"aten::cat", "concat"},
      {"StridedSlice", "slice"},
      {"aten::constant_pad_nd", "pad"},
      {"GatherV2", "gather"},
      {"aten::embedding", "embedding"},
      {"scaled_dot_product_attention", "attention"},
      {"flex_attention", "attention"},
      {"aten::_efficient_attention_backward", "attention_backward"},
      {"aten::_scaled_dot_product_cudnn_attention_backward", "attention_backward"},
      {"aten::convolution_backward", "conv_backward"},
      {"aten::einsum", "einsum"},
      {"tf.Einsum", "einsum"},
      {"convolution.12", "conv"},
  };
  for (const auto& [name, id] : names) {
    INFO(name);
    const Operator* op = find_operator(name);
    REQUIRE(op != nullptr);
    CHECK(op->id == id);
  }
  for (const char* name : {"", "ID_", "softmax.backward", "my_plugin::conv_magic", "v2", "ID_MY_OP", "fusion"}) {
    INFO(name);
    CHECK(find_operator(name) == nullptr);
  }
  CHECK(near_operators("ID_SOFTMX") == std::vector<std::string>{"softmax"});
  CHECK(near_operators("ID_MY_VERY_OWN_OPERATION").empty());
}

TEST_CASE("no two operators share a name") {
  std::set<std::string> taken;
  for (const Operator* op : operators()) {
    INFO(op->id);
    CHECK(taken.insert(normalised(op->id)).second);
    CHECK(find_operator(op->id) == op);
    CHECK_FALSE(op->formulas.empty());
    CHECK_FALSE(op->parameters.empty());
    for (const std::string_view name : op->names) {
      INFO(name);
      CHECK(normalised(name) == name);
      CHECK(taken.insert(std::string(name)).second);
    }
  }
}

TEST_CASE("a parameter is a field that records have") {
  const Keys keys;
  for (const Operator* op : operators())
    for (const Parameter& parameter : op->parameters) {
      INFO(op->id << " " << parameter.key);
      CHECK(keys.find(parameter.key) != Keys::npos);
      CHECK_FALSE(parameter.meaning.empty());
    }
}

TEST_CASE("a formula is shown with the numbers put in") {
  Trace trace;
  const Result<Work> work =
      derive("conv2d", R"({"input_shape":[1,64,56,56],"output_channels":64,"kernel_size":3,"padding":"SAME"})", &trace);
  REQUIRE(work);
  const Operator* conv = find_operator("conv");
  CHECK(with_numbers(conv->formulas[0].expression, trace, work->matrix_flops) ==
        "2 * N * P * Co * (Ci / g) * K = 2 * 1 * 3136 * 64 * (64 / 1) * 9 = 231211008");
  CHECK(trace.notes == std::vector<std::string>{"SAME padding: the output is as long as the input, divided by the stride and rounded up"});
  Trace plain;
  plain.add("E", 12);
  CHECK(with_numbers("E", plain, 12) == "E = 12");
  CHECK(with_numbers("2 * E + Ex", plain, 0.5) == "2 * E + Ex = 2 * 12 + Ex = 0.5");
}

TEST_CASE("docs/reference/operators.md has every operator with its formulas") {
  std::ifstream file("docs/reference/operators.md");
  REQUIRE(file);
  std::stringstream buffer;
  buffer << file.rdbuf();
  const std::string text = buffer.str();
  for (const Operator* op : operators()) {
    INFO(op->id);
    const std::string quoted = "`" + std::string(op->id) + "`";
    CHECK(text.find(quoted) != std::string::npos);
    for (const Formula& formula : op->formulas) {
      INFO(formula.expression);
      CHECK(text.find("`" + std::string(formula.expression) + "`") != std::string::npos);
    }
  }

  // The table of FLOPs per element: the row that names an operation begins with its number.
  const std::string table = text.substr(text.find("## Element-wise"));
  for (const Operator* op : operators()) {
    if (op->family != OpFamily::elementwise) continue;
    INFO(op->id);
    Record record;
    record.set_number(key::input_self, 1);
    const Result<Work> work = op->derive(record, nullptr);
    REQUIRE(work);
    const std::size_t row = table.rfind('\n', table.find("`" + std::string(op->id) + "`"));
    CHECK(table.substr(row + 1, 5) == "| " + std::to_string(static_cast<int>(work->vector_flops)) + " |");
  }
}
