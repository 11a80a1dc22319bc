// Tables with a column for each implementation.
#include "rows.hpp"

using namespace roofline;

TEST_CASE("providers: formats in brackets are those of the rows", "[tools]") {
  const Workload w = open(
      ",N_CTX,Triton [FP16] (TFLOPS),Triton [FP8] (TFLOPS),Flash-2 (TFLOPS)\n"
      "0,1024.0,150.1,190.3,140.2\n1,2048.0,300.2,400.1,280.5\n");
  REQUIRE(w.size() == 6);
  CHECK(w.class_of(row_named(w, "Triton [FP16] (TFLOPS) 2048")).activation == format("fp16"));
  const std::size_t fp8 = row_named(w, "Triton [FP8] (TFLOPS) 2048");
  CHECK(w.class_of(fp8).activation == format("fp8_e4m3"));
  CHECK_THAT(flops_of(w, fp8) / w.time_s[fp8], WithinRel(400.1e12, 1e-9));
  CHECK(says(w, "FP32 is assumed for 2 rows without a number format"));
}

TEST_CASE("providers: times of several implementations become rows", "[tools]") {
  const Workload w = open("M,N,K,cuBLAS (ms),Triton (ms)\n1024.0,1024.0,1024.0,0.015,0.0113\n");
  REQUIRE(w.size() == 2);
  CHECK_THAT(w.time_s[0], WithinRel(15e-6, 1e-9));
  CHECK_THAT(w.time_s[1], WithinRel(11.3e-6, 1e-9));
  CHECK(flops_of(w, 1) == 2. * 1024 * 1024 * 1024);
  // A minimum is no implementation.
  CHECK(refusal_of("M,N,K,Triton (ms),Triton min (ms)\n64,64,64,0.015,0.0113\n").find("choose the one to use") != std::string::npos);
}
