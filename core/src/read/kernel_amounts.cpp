#include "read/kernel_amounts.hpp"

#include "operators/matrix_product.hpp"

namespace roofline {

Amounts amounts_of(const Cells& cell, bool is_product, bool is_convolution) {
  Amounts a{cell[Role::flops], cell[Role::bytes], cell[Role::time], cell[Role::count], {}};
  const double rate = cell[Role::rate], bandwidth = cell[Role::bandwidth], intensity = cell[Role::intensity];
  if (!(a.count >= 1)) a.count = 1;
  if (const double sum = cell[Role::time_sum]; sum > 0) a.time = sum / a.count;
  if (!(a.time > 0)) a.time = unknown;
  if (!known(a.flops)) a.flops = 2 * cell[Role::macs];

  // What follows from the shape.
  const double batch = cell[Role::batch] > 0 ? cell[Role::batch] : 1;
  if (is_product && cell[Role::m] > 0 && cell[Role::n] > 0 && cell[Role::k] > 0) {
    if (const ProductSizes sizes = products(cell[Role::m], cell[Role::n], cell[Role::k], batch); sizes.countable()) {
      a.work = sizes.work();
      a.roles = true;
      if (!known(a.flops)) a.flops = a.work.matrix_flops;
    }
  } else if (is_convolution && !known(a.flops)) {
    // Symmetric in what the two kinds of channels are called.
    a.flops = 2 * batch * cell[Role::height] * cell[Role::width] * cell[Role::channels] * cell[Role::kernel_p] * cell[Role::kernel_q] *
              cell[Role::filters];
  }
  if (!known(a.flops)) a.flops = rate * a.time;
  if (!known(a.time) && rate > 0) a.time = a.flops / rate;
  if (!known(a.bytes)) a.bytes = bandwidth * a.time;
  if (!known(a.bytes) && !a.roles && intensity > 0) a.bytes = a.flops / intensity;
  if (!known(a.flops)) a.flops = intensity * a.bytes;
  if (known(a.flops) || known(a.bytes) || known(a.time)) return a;

  a.rates_only = true;  // stand-ins of the right ratio
  if (known(rate)) {
    a.flops = rate;
    a.time = 1;
    a.bytes = intensity > 0 ? rate / intensity : bandwidth;
  } else if (known(bandwidth)) {
    a.bytes = bandwidth;
    a.time = 1;
    a.flops = intensity * a.bytes;
  } else if (known(intensity)) {
    a.flops = intensity;
    a.bytes = 1;
  }
  return a;
}

}  // namespace roofline
