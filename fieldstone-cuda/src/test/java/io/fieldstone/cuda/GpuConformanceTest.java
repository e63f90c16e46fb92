package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fieldstone.conformance.CheckResult;
import io.fieldstone.conformance.Conformance;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineStatus;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the conformance suite on every kernel of every GPU of this machine. */
@Tag("gpu")
class GpuConformanceTest {

  static Stream<EngineStatus> engines() {
    return new CudaProvider().engines().stream();
  }

  @ParameterizedTest
  @MethodSource("engines")
  void everyKernelAgreesWithTheDefinition(EngineStatus status) {
    assumeTrue(status.isPresent(), () -> status.missing().orElse(""));
    try (Engine engine = new CudaProvider().open(status.spec(), EngineOptions.DEFAULT)) {
      assertThat(Conformance.of(engine).run(1)).allMatch(CheckResult::passed);
    }
  }
}
