package io.fieldstone.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cpu.CpuProvider;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.testing.TestLength;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class CpuConformanceTest {

  static Stream<String> specs() {
    return new CpuProvider().engines().stream().map(EngineStatus::spec);
  }

  /** Those that differ in more than how they multiply. */
  private static final Set<String> WHOLE = Set.of("cpu", "cpu:scalar");

  @ParameterizedTest
  @MethodSource("specs")
  void everyEngineAgreesWithTheDefinition(String spec) {
    for (int threads = 1; threads <= 3; threads += 2) {
      try (Engine engine = Engine.open(spec, new EngineOptions(threads))) {
        Conformance suite =
            WHOLE.contains(spec) ? Conformance.of(engine) : Conformance.ofBlocks(engine);
        int share = threads == 1 || !spec.equals("cpu") ? TestLength.oneIn(6) : 1;
        assertThat(suite.oneIn(share).run(threads)).allMatch(CheckResult::passed);
      }
    }
  }
}
