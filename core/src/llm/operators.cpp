// What is known of each operator: its name, its marker, its formulas, and the formats of its operands.
#include <roofline/llm/llm.hpp>

namespace roofline {

const LlmOpInfo& info(LlmOp op) {
  static constexpr LlmOpInfo infos[llm_op_count] = {
      {"embed", OpFamily::embedding, Symbol::diamond, "Pe * T * H", "(2 + Pe) * T * H"},
      {"input_norm", OpFamily::normalisation, Symbol::triangle, "Nf * T * H", "2 * T * H + Nw * H"},
      {"q_proj", OpFamily::projection, Symbol::circle, "2 * T * H * Q", "T * H + H * Q + bq * Q + T * Q"},
      {"k_proj", OpFamily::projection, Symbol::circle, "2 * T * H * K", "T * H + H * K + bq * K + T * K"},
      {"v_proj", OpFamily::projection, Symbol::circle, "2 * T * H * K", "T * H + H * K + bq * K + T * K"},
      {"q_a_proj", OpFamily::projection, Symbol::circle, "2 * T * H * Rq", "T * H + H * Rq + T * Rq"},
      {"q_b_proj", OpFamily::projection, Symbol::circle, "2 * T * Rq * Q", "T * Rq + Rq * Q + T * Q"},
      {"kv_a_proj", OpFamily::projection, Symbol::circle, "2 * T * H * (R + dr)", "T * H + H * (R + dr) + T * (R + dr)"},
      {"kv_b_proj", OpFamily::projection, Symbol::circle, "2 * X * R * h * (dn + dv)", "R * h * (dn + dv) + Xi + Xo"},
      {"rope", OpFamily::elementwise, Symbol::triangle, "3 * T * Hr * dr + Qf * T * Qn", "2 * T * Rm + Qw"},
      {"kv_write", OpFamily::cache, Symbol::diamond, "", "2 * T * Kv"},
      {"qk", OpFamily::attention, Symbol::circle, "2 * B * h * P * d", "B * S * h * d + B * Kr * g * d + B * h * P"},
      {"softmax", OpFamily::attention, Symbol::triangle, "5 * B * h * P", "2 * B * h * P"},
      {"pv", OpFamily::attention, Symbol::circle, "2 * B * h * P * dv", "B * h * P + B * Kr * g * dv + B * S * h * dv"},
      {"attention", OpFamily::attention, Symbol::circle, "2 * B * h * P * (d + dv) + 5 * B * h * P",
       "B * S * h * (d + dv) + B * Kr * g * dkv"},
      {"o_proj", OpFamily::projection, Symbol::circle, "2 * T * O * H", "T * O + O * H + bo * H + T * H"},
      {"residual", OpFamily::elementwise, Symbol::triangle, "T * H", "3 * T * H"},
      {"post_norm", OpFamily::normalisation, Symbol::triangle, "Nf * T * H", "2 * T * H + Nw * H"},
      {"gate_proj", OpFamily::mlp, Symbol::circle, "2 * T * H * I", "T * H + H * I + bm * I + T * I"},
      {"up_proj", OpFamily::mlp, Symbol::circle, "2 * T * H * I", "T * H + H * I + bm * I + T * I"},
      {"act_mul", OpFamily::mlp, Symbol::triangle, "Af * T * I", "(G + 1) * T * I"},
      {"down_proj", OpFamily::mlp, Symbol::circle, "2 * T * I * H", "T * I + I * H + bm * H + T * H"},
      {"router", OpFamily::moe, Symbol::circle, "2 * T * H * E", "T * H + H * E + br * E + T * E"},
      {"experts", OpFamily::moe, Symbol::circle, "2 * Ts * (G + 1) * H * Ie + Af * Ts * Ie + 2 * Ts * H",
       "Ea * ((G + 1) * H * Ie + be * (G * Ie + H)) + Ts * (3 * H + (2 * G + 2) * Ie) + T * H"},
      {"shared_experts", OpFamily::moe, Symbol::circle, "2 * T * (G + 1) * H * Is + Af * T * Is",
       "(G + 1) * H * Is + gs * H + T * (2 * H + (2 * G + 2) * Is)"},
      {"final_norm", OpFamily::normalisation, Symbol::triangle, "Nf * T * H", "2 * T * H + Nw * H"},
      {"lm_head", OpFamily::embedding, Symbol::circle, "2 * To * H * V", "To * H + H * V + bh * V + To * V"},
      {"all_reduce", OpFamily::communication, Symbol::x, "", "2 * T * H"},
      {"all_to_all", OpFamily::communication, Symbol::x, "", "4 * k * Tm * H"},
  };
  return infos[static_cast<std::size_t>(op)];
}

OpClass op_class(const LlmSetup& setup, LlmOp op) {
  const LlmFormats& f = setup.formats;
  const LlmOpInfo& known = info(op);
  OpClass out;
  out.type = known.id;
  out.set_family(known.family);
  out.symbol = known.symbol;
  out.activation = out.output = f.activations;
  switch (op) {
    case LlmOp::embed:
      out.activation = no_format;
      out.weight = f.weights;
      break;
    case LlmOp::experts:
      out.weight = f.experts;
      break;
    case LlmOp::rope:
      if (setup.model.qk_norm || setup.model.mla()) out.weight = f.weights;
      break;
    case LlmOp::residual:
    case LlmOp::act_mul:
    case LlmOp::softmax:
    case LlmOp::all_reduce:
    case LlmOp::all_to_all:
      break;
    case LlmOp::kv_write:
      out.output = no_format;
      out.kv = f.kv;
      break;
    case LlmOp::qk:
    case LlmOp::pv:
    case LlmOp::attention:
      out.kv = f.kv;
      break;
    default:
      out.weight = f.weights;
  }
  out.matrix_work = out.symbol == Symbol::circle;
  out.vector_work = out.symbol == Symbol::triangle || op == LlmOp::attention || op == LlmOp::experts || op == LlmOp::shared_experts;
  return out;
}

}  // namespace roofline
