package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.conformance.CheckResult;
import io.fieldstone.conformance.Conformance;
import io.fieldstone.engine.Engine;
import io.fieldstone.testing.TestLength;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the conformance suite on the engine with Java versions of the kernels. */
@Execution(ExecutionMode.CONCURRENT)
class CudaConformanceTest {

  /**
   * Returns the variants with different code paths for blocks: row-major, each layout, the
   * selection by shape, each decoding method.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuda:0:loop-tile",
        "cuda:0:tensor",
        "cuda:0:tensor-warps",
        "cuda:0:bilinear",
        "cuda:0:cpu-vectors"
      })
  void everyEngineAgreesWithTheDefinition(String spec) {
    check(new FakeGpu(), spec, Conformance::ofBlocks);
  }

  @Test
  void noMemoryIsReadBeforeItsEvent() {
    check(FakeGpu.lazy(), "cuda:0", Conformance::of);
  }

  @Test
  void everyKernelIsLaunchedByItsName() {
    try (FakeGpu gpu = new FakeGpu()) {
      RandomProducts.checkEach(gpu.provider().engines(), gpu::open);
    }
  }

  private static void check(FakeGpu gpu, String spec, Function<Engine, Conformance> suite) {
    try (gpu) {
      try (Engine engine = gpu.open(spec)) {
        assertThat(suite.apply(engine).oneIn(TestLength.oneIn(6)).run(1))
            .allMatch(CheckResult::passed);
      }
      assertThat(gpu.driver().leaks()).isEmpty();
    }
  }
}
