#include "llm/model/quantization_methods.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/names.hpp>

#include "llm/model/stored_formats.hpp"

namespace roofline {
namespace {

/// Integers in the catalogue; the first that suits is taken.
constexpr struct {
  std::string_view id;
  double bits, group;  // a group of 0: any
  bool zero_point;
} integer_formats[] = {{"int4_g128_zp", 4, 128, true}, {"int4_g32", 4, 32, false}, {"int4_g64", 4, 64, false},
                       {"int4_g128", 4, 128, false},   {"int4", 4, 0, false},      {"int8_g128", 8, 128, false},
                       {"int8", 8, 0, false}};

constexpr double scale_bits = 16;

/// bitsandbytes: codes of 4 bits with an FP32 scale per 64, which double quantisation stores in 8 bits with an FP32 scale per 256 of them.
StoredFormat stored_by_bitsandbytes(const Json& json) {
  if (member(json, "load_in_8bit") == Json(true)) return stored("int8");
  StoredFormat out = stored(text_of(member(json, "bnb_4bit_quant_type")) == "fp4" ? "int4_g64" : "nf4");
  const double scale = member(json, "bnb_4bit_use_double_quant") == Json(true) ? 8 + 32. / 256 : 32;
  if (const double bits = 4 + scale / 64; bits != Formats::catalogue()[out.format].effective_bits()) out.bits = bits;
  return out;
}

/// torchao: a configuration's name such as Int8DynamicActivationInt4WeightConfig, or int4_weight_only with its arguments beside it.
StoredFormat stored_by_torchao(const Json& json) {
  const Json& type = member(json, "quant_type");
  const Json& config = member(type, "default");
  const std::string name = normalised(text_of(type.is_object() ? member(config, "_type") : type));
  const double group = number_of(member(type.is_object() ? member(config, "_data") : member(json, "quant_type_kwargs"), "group_size"));
  const bool dynamic = name.find("dynamicactivation") != std::string::npos;
  // A scale and a zero point of 16 bits; the group is the default of torchao's configuration where none is stated.
  if (name.find("int4weight") != std::string::npos) return stored_integer(4, group >= 1 ? group : dynamic ? 32 : 128, 2 * scale_bits);
  if (name.find("int8weight") != std::string::npos) return stored("int8");
  return stored(name.find("float8weight") != std::string::npos ? "fp8_e4m3" : "");
}

/// ExLlama's fractional bits per weight, scales included.
StoredFormat stored_in_bits(double bits) {
  if (!(bits >= 1 && bits <= 16)) return {};
  return {nearest_weight_format(bits), bits};
}

/// AQLM: a group's code per codebook.
StoredFormat stored_by_aqlm(const Json& json) {
  const double group = number_of(member(json, "in_group_size")) * number_of(member(json, "out_group_size"));
  return stored_in_bits(number_of(member(json, "num_codebooks")) * number_of(member(json, "nbits_per_codebook")) / group);
}

}  // namespace

StoredFormat stored(std::string_view id) { return {Formats::catalogue().find(id).value_or(no_format)}; }

StoredFormat stored_integer(double bits, double group, double bits_per_group) {
  if (!(bits >= 1 && bits <= 8 && bits == std::floor(bits))) return {};
  const double effective = bits + (group >= 1 ? bits_per_group / group : 0);
  const bool zero_point = bits_per_group == scale_bits + bits;
  const auto* known = std::find_if(std::begin(integer_formats), std::end(integer_formats), [&](const auto& format) {
    return format.bits == bits && (format.group == 0 || format.group == group) && (zero_point || !format.zero_point);
  });
  StoredFormat out = known == std::end(integer_formats) ? StoredFormat{nearest_weight_format(effective)} : stored(known->id);
  if (effective != Formats::catalogue()[out.format].effective_bits()) out.bits = effective;
  return out;
}

StoredFormat stored(double bits, double group, bool floating, bool zero_point) {
  if (!floating) return stored_integer(bits, group, zero_point ? scale_bits + bits : scale_bits);
  if (bits == 8) return stored(group == 32 ? "mxfp8" : "fp8_e4m3");
  return bits == 4 ? stored(group == 32 ? "mxfp4" : "nvfp4") : StoredFormat{};
}

StoredFormat stored_by_algorithm(const std::string& algorithm) {
  if (algorithm.find("NVFP4") != std::string::npos) return stored("nvfp4");
  if (algorithm.find("MXFP4") != std::string::npos) return stored("mxfp4");
  if (algorithm.find("W4A") == 0 || algorithm.find("INT4") != std::string::npos) return stored("int4_g128");
  if (algorithm.find("FP8") == 0) return stored("fp8_e4m3");
  return algorithm.find("INT8") == 0 ? stored("int8") : StoredFormat{};
}

StoredFormat stored_by_keys(const Json& own, const Json& common) {
  const auto find = [&](const char* key) -> const Json& {
    const Json& found = member(own, key);
    return found.is_null() ? member(common, key) : found;
  };
  const std::string type = text_of(find("data_type"));  // AutoRound: int, fp, mx_fp, nv_fp
  // Integers have zero points (qzeros) in the file, whether or not they are symmetric.
  return stored(number_of(find("bits")), number_of(find("group_size")), type.find("fp") != std::string::npos, true);
}

StoredFormat stored_by_hqq(const Json& parameters) {
  const auto bits_of = [&](const char* key) {  // of a scale or a zero, which may be quantised, too
    const double bits = number_of(member(member(parameters, key), "nbits"));
    return bits >= 1 ? bits : scale_bits;
  };
  const Json& weights = member(parameters, "weight_quant_params");
  return stored_integer(number_of(member(weights, "nbits")), number_of(member(weights, "group_size")),
                        bits_of("scale_quant_params") + bits_of("zero_quant_params"));
}

StoredFormat stored_by_quark(const Json& layer) {
  const Json& stated = member(layer, "weight");
  const Json& weight = stated.is_array() && !stated.empty() ? stated[0] : stated;  // quantised twice: the first is the stored one
  const std::string type = text_of(member(weight, "dtype"));
  const double group = number_of(member(weight, "group_size"));
  if (type == "fp8_e5m2") return stored(type);
  if (type.starts_with("fp6_")) return stored("mx" + type);
  const bool floating = type.starts_with("fp");
  if (!floating && !type.starts_with("int") && !type.starts_with("uint")) return {};
  const std::size_t digit = type.find_first_of("0123456789");
  if (digit == std::string::npos || (digit + 1 < type.size() && type[digit + 1] != '_')) return {};  // int16
  return stored(type[digit] - '0', group, floating, member(weight, "symmetric") == Json(false));
}

std::string quantization_method(const Json& config) {
  if (const std::string stated = normalised(text_of(member(config, "quant_method"))); !stated.empty()) return stated;
  if (!text_of(member(config, "quant_algo")).empty()) return "modelopt";
  const auto loads = [&](const char* key) { return member(config, key) == Json(true); };
  return loads("load_in_4bit") || loads("load_in_8bit") ? "bitsandbytes" : "";
}

StoredFormat stored_by_method(const std::string& method, const Json& config) {
  if (method == "awq" || method == "awqmarlin")
    return stored(number_of(member(config, "bits")), number_of(member(config, "group_size")), false,
                  member(config, "zero_point") != Json(false));
  if (method == "gptq" || method == "gptqmarlin" || method == "autoround" || method == "intelautoround")
    return stored_by_keys(config, config);
  if (method == "bitsandbytes") return stored_by_bitsandbytes(config);
  if (method == "fp8" || method == "fbgemmfp8" || method == "finegrainedfp8") return stored("fp8_e4m3");
  if (method.starts_with("modelopt")) return stored_by_algorithm(text_of(member(config, "quant_algo")));
  if (method == "hqq") return stored_by_hqq(member(config, "quant_config"));
  if (method == "quark") return stored_by_quark(member(config, "global_quant_config"));
  if (method == "torchao") return stored_by_torchao(config);
  if (method == "exl2" || method == "exl3") return stored_in_bits(number_of(member(config, "bits")));
  return method == "aqlm" ? stored_by_aqlm(config) : StoredFormat{};
}

}  // namespace roofline
