#include "operators/families.hpp"
#include "operators/window.hpp"

namespace roofline {
namespace {

using WindowFormulas = WorkFormulas<"K N C Pi Po", FormulaOf<&Work::vector_flops, "N * C * Po * K">,
                                    FormulaOf<&Work::activation, "N * C * Pi">, FormulaOf<&Work::output, "N * C * Po">>;
using AdaptiveFormulas = WorkFormulas<"N C Pi Po", FormulaOf<&Work::vector_flops, "N * C * Pi">, FormulaOf<&Work::activation, "N * C * Pi">,
                                      FormulaOf<&Work::output, "N * C * Po">>;

Result<Work> derive_window(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const Image x = read_image(d);
  const std::size_t rank = x.spatial.size();
  const PerDimension kernel = d.per_dimension(key::kernel_size, rank, Derivation::Least::one);
  const Window w = read_window(d, kernel, rank, kernel);
  if (d.failed()) return d.fault();
  double volume = 1, outputs = 1;
  for (std::size_t i = 0; i < rank && !d.failed(); ++i) {
    volume *= kernel[i];
    outputs *= w.positions(d, i, x.spatial[i]);
  }
  return d.finish<WindowFormulas>({volume, x.batch, x.channels, product(x.spatial), outputs}, d.input_key());
}

Result<Work> derive_adaptive(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const Image x = read_image(d);
  const std::size_t rank = x.spatial.size();
  const PerDimension size = d.per_dimension(key::output_size, rank, Derivation::Least::one, 1);
  if (d.failed()) return d.fault();
  double outputs = 1;
  for (std::size_t i = 0; i < rank; ++i) outputs *= size[i];
  return d.finish<AdaptiveFormulas>({x.batch, x.channels, product(x.spatial), outputs}, d.input_key());
}

constexpr Parameter window_parameters[] = {
    {"input_shape", "[N, C, spatial...]", ""},
    {"kernel_size", "a number, or one for each spatial dimension", ""},
    {"stride", "a number, or one for each spatial dimension", "kernel_size"},
    {"padding", "as for a convolution", "0"},
    {"dilation", "a number, or one for each spatial dimension", "1"},
    {"ceil_mode", "true where the number of positions is rounded up", "false"},
    {"data_format", "NCHW or NHWC and the like: where the channels are", "NCHW"},
};
constexpr Parameter adaptive_parameters[] = {
    {"input_shape", "[N, C, spatial...]", ""},
    {"output_size", "a number, or one for each spatial dimension", "1: global"},
    {"data_format", "NCHW or NHWC and the like: where the channels are", "NCHW"},
};

constexpr std::string_view window_names[] = {
    "pooling",          "pool2d",  "maxpool",     "maxpool1d", "maxpool2d", "maxpool3d",   "maxpool2dwithindices",
    "maxpooling2d",     "avgpool", "avgpool1d",   "avgpool2d", "avgpool3d", "averagepool", "averagepool2d",
    "averagepooling2d", "lppool",  "reducewindow"};
constexpr std::string_view adaptive_names[] = {"adaptiveavgpool1d", "adaptiveavgpool2d", "adaptiveavgpool3d", "adaptivemaxpool1d",
                                               "adaptivemaxpool2d", "adaptivemaxpool3d", "adaptiveavgpool",   "globalpool",
                                               "globalavgpool",     "globalaveragepool", "globalmaxpool",     "globalaveragepooling2d",
                                               "globalavgpool2d",   "globalmaxpool2d"};

constexpr Operator list[] = {
    {"pool", "Pooling", OpFamily::pooling, Symbol::diamond, window_names, window_parameters, WindowFormulas::formulas,
     "Largest or average: one FLOP per element of the window.", derive_window},
    {"adaptive_pool", "Adaptive and global pooling", OpFamily::pooling, Symbol::diamond, adaptive_names, adaptive_parameters,
     AdaptiveFormulas::formulas, "One FLOP per element read: the windows share none.", derive_adaptive},
};

}  // namespace

std::span<const Operator> families::pooling() { return list; }

}  // namespace roofline
