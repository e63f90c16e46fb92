package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.conformance.CheckResult;
import io.fieldstone.conformance.Conformance;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.testing.TestLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Engines of the cores as parts: no matter how jobs are shared, the results are the same. */
@Execution(ExecutionMode.CONCURRENT)
class HybridConformanceTest {

  @Test
  void twoEnginesAgreeWithTheDefinition() {
    try (Engine engine = Engine.open("cpu+cpu:scalar", new EngineOptions(2))) {
      assertThat(Conformance.of(engine).oneIn(TestLength.oneIn(12)).run(1))
          .allMatch(CheckResult::passed);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cpu:vector+cpu",
        "cpu:vector+cpu+cpu:scalar@rows",
        "cpu:scalar+cpu:vector@columns=0.5",
        "cpu:scalar+cpu:vector@rows=0.3",
        "cpu:vector+cpu:scalar@generations=0.6",
      })
  void blocksDoNotDependOnHowJobsAreShared(String spec) {
    try (Engine engine = Engine.open(spec, new EngineOptions(2))) {
      assertThat(Conformance.ofBlocks(engine).oneIn(TestLength.oneIn(12)).run(1))
          .allMatch(CheckResult::passed);
    }
  }

  /** Where a way to split is forced, the smallest sort is shared. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cpu:vector+cpu:scalar@generations=0.6",
        "cpu:vector+cpu+cpu:scalar@generations",
      })
  void recordsAreSortedAlikeByPartsTogether(String spec) {
    try (Engine engine = Engine.open(spec, new EngineOptions(2))) {
      assertThat(Conformance.ofSorting(engine).oneIn(TestLength.oneIn(12)).run(1))
          .allMatch(CheckResult::passed);
    }
  }
}
