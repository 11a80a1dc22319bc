#include "operators/window.hpp"

#include <cmath>
#include <roofline/machine/format.hpp>

namespace roofline {
namespace {

void read_padding(Derivation& d, std::size_t rank, Window& w) {
  const Value& value = d.record()[key::padding];
  if (value.kind == Value::Kind::string) {
    const std::string word = normalised(value.string);
    if (word == "same" || word == "sameupper" || word == "samelower") {
      w.padding = Window::Padding::same;
      d.note("SAME padding: the output is as long as the input, divided by the stride and rounded up");
    } else if (word == "valid") {
      w.padding = Window::Padding::valid;
      d.note("VALID padding: none");
    } else {
      d.fail(key::padding, "is \"" + std::string(value.string) + "\": expected SAME, VALID, a whole number or a list");
    }
  } else if (value.kind == Value::Kind::shapes) {
    w.pairs = true;
    if (value.size != rank)
      d.fail(key::padding,
             "has " + std::to_string(value.size) + " pairs: expected " + std::to_string(rank) + ", one for each spatial dimension");
    for (std::size_t i = 0; i < value.size; ++i) {
      const Shape pair = w.record->shape(key::padding, i);
      if (pair.size() != 2) d.fail(key::padding, "element " + std::to_string(i) + " is " + shown(pair) + ": expected [before, after]");
      d.check_whole(key::padding, pair, Derivation::Least::zero);
    }
  } else if (value.kind == Value::Kind::list && value.size == 2 * rank) {
    w.flat = w.record->list(key::padding);
    d.check_whole(key::padding, w.flat, Derivation::Least::zero);
  } else {
    w.symmetric = d.per_dimension(key::padding, rank, Derivation::Least::zero, 0);
  }
}

}  // namespace

Image read_image(Derivation& d) {
  const Shape shape = d.input(3);
  if (d.failed()) return {};
  const std::string_view format = d.word(key::data_format);
  const std::string word = format.empty() ? std::string() : normalised(format);
  const bool last = word == "channelslast" || (word.size() > 1 && word.front() == 'n' && word.back() == 'c');
  const bool first = word.empty() || word == "channelsfirst" || (word.size() > 1 && word[0] == 'n' && word[1] == 'c');
  if (!last && !first) d.fail(key::data_format, "is \"" + std::string(format) + "\": expected NCHW, NHWC or the like");
  const std::size_t rank = shape.size() - 2;
  return last ? Image{shape[0], shape[rank + 1], shape.subspan(1, rank)} : Image{shape[0], shape[1], shape.subspan(2)};
}

Window read_window(Derivation& d, PerDimension kernel, std::size_t rank, PerDimension default_stride) {
  using Least = Derivation::Least;
  Window w;
  w.record = &d.record();
  w.kernel = kernel;
  w.stride = d.has(key::stride) ? d.per_dimension(key::stride, rank, Least::one) : default_stride;
  w.dilation = d.per_dimension(key::dilation, rank, Least::one, 1);
  w.ceil_mode = d.flag(key::ceil_mode, false);
  read_padding(d, rank, w);
  return w;
}

double Window::before(std::size_t i) const {
  if (pairs) return record->shape(key::padding, i)[0];
  return flat.empty() ? symmetric[i] : flat[i];
}

double Window::after(std::size_t i) const {
  if (pairs) return record->shape(key::padding, i)[1];
  return flat.empty() ? symmetric[i] : flat[i + flat.size() / 2];
}

double Window::positions(Derivation& d, std::size_t i, double length) const {
  if (padding == Padding::same) return std::ceil(length / stride[i]);
  const double room = length + padded(i) - reach(i);
  if (room < 0) {
    d.fail(key::kernel_size, "spans " + plain(reach(i)) + " of spatial dimension " + std::to_string(i) +
                                 ": expected at most the padded input, " + plain(length + padded(i)));
    return 1;
  }
  if (!ceil_mode) return std::floor(room / stride[i]) + 1;
  const double count = std::ceil(room / stride[i]) + 1;
  return (count - 1) * stride[i] >= length + before(i) ? count - 1 : count;  // the last window must start inside the input
}

double Window::transposed_length(Derivation& d, std::size_t i, double length, double output_padding) const {
  if (padding == Padding::same) return length * stride[i];
  const double result = (length - 1) * stride[i] - padded(i) + reach(i) + output_padding;
  if (result >= 1) return result;
  d.fail(key::padding, "leaves " + plain(result) + " of spatial dimension " + std::to_string(i) + " of the output: expected at least 1");
  return 1;
}

}  // namespace roofline
