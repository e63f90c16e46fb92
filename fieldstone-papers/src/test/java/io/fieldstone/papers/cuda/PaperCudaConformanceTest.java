package io.fieldstone.papers.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.conformance.CheckResult;
import io.fieldstone.conformance.Conformance;
import io.fieldstone.cuda.RandomProducts;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.testing.TestLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the conformance suite on engines with Java versions of the kernels. */
@Execution(ExecutionMode.CONCURRENT)
class PaperCudaConformanceTest {

  /** The variants with different code paths for blocks. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuda:0:loop-byte",
        "cuda:0:table-log",
        "cuda:0:table-log-plain",
        "cuda:0:baseline",
        "cuda:0:hpds",
        "cuda:0:assisted",
        "cuda:0:gauss-jordan"
      })
  void everyEngineAgreesWithTheDefinition(String spec) {
    try (PaperGpu gpu = new PaperGpu()) {
      try (Engine engine = gpu.open(spec)) {
        assertThat(engine.spec()).isEqualTo(spec);
        assertThat(Conformance.ofBlocks(engine).oneIn(TestLength.oneIn(18)).run(1))
            .allMatch(CheckResult::passed);
      }
      assertThat(gpu.driver().leaks()).isEmpty();
    }
  }

  @Test
  void eachGpuIsListedWithEachKernel() {
    try (PaperGpu gpu = new PaperGpu()) {
      assertThat(gpu.provider().engines())
          .allMatch(EngineStatus::isPresent)
          .allMatch(EngineStatus::isForMeasurement)
          .extracting(EngineStatus::spec)
          .containsExactly(
              "cuda:0:loop-word",
              "cuda:0:loop-word-branch",
              "cuda:0:loop-word-24",
              "cuda:0:loop-word-bytewise",
              "cuda:0:loop-word-coarse",
              "cuda:0:loop-byte",
              "cuda:0:table",
              "cuda:0:table-plain",
              "cuda:0:table-log",
              "cuda:0:table-log-plain",
              "cuda:0:baseline",
              "cuda:0:hpds",
              "cuda:0:assisted",
              "cuda:0:gauss-jordan");
    }
  }

  @Test
  void everyKernelIsLaunchedByItsName() {
    try (PaperGpu gpu = new PaperGpu()) {
      RandomProducts.checkEach(gpu.provider().engines(), gpu::open);
    }
  }
}
