package io.fieldstone.papers.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.conformance.CheckResult;
import io.fieldstone.conformance.Conformance;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.testing.TestLength;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the conformance suite on the engines of papers on the cores, which are found by name. */
@Execution(ExecutionMode.CONCURRENT)
class PaperCpuConformanceTest {

  static Stream<String> specs() {
    return new PaperCpuProvider().engines().stream().map(EngineStatus::spec);
  }

  @Test
  void theEnginesAreListedForMeasurement() {
    assertThat(specs())
        .containsExactly("cpu:table-log", "cpu:loop-vector", "cpu:loop-word", "cpu:loop-byte");
    assertThat(Engine.available())
        .filteredOn(engine -> specs().toList().contains(engine.spec()))
        .hasSize(4)
        .allMatch(EngineStatus::isForMeasurement);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Engine.open("cpu:loop-bytes"))
        .withMessageContaining("did you mean 'cpu:loop-byte'?");
  }

  @ParameterizedTest
  @MethodSource("specs")
  void everyEngineAgreesWithTheDefinition(String spec) {
    for (int threads = 1; threads <= 3; threads += 2) {
      try (Engine engine = Engine.open(spec, new EngineOptions(threads))) {
        assertThat(engine.spec()).isEqualTo(spec);
        assertThat(Conformance.ofBlocks(engine).oneIn(TestLength.oneIn(18)).run(threads))
            .allMatch(CheckResult::passed);
      }
    }
  }
}
