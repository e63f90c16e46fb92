package io.fieldstone.papers.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fieldstone.conformance.CheckResult;
import io.fieldstone.conformance.Conformance;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineStatus;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the conformance suite on every engine of a paper on every GPU of this machine. */
@Tag("gpu")
class GpuPaperConformanceTest {

  @Test
  void everyKernelAgreesWithTheDefinition() {
    PaperCudaProvider provider = new PaperCudaProvider();
    List<EngineStatus> engines =
        provider.engines().stream().filter(EngineStatus::isPresent).toList();
    assumeTrue(!engines.isEmpty(), "needs a GPU");
    for (EngineStatus status : engines) {
      try (Engine engine = provider.open(status.spec(), EngineOptions.DEFAULT)) {
        assertThat(Conformance.of(engine).run(1)).as(status.spec()).allMatch(CheckResult::passed);
      }
    }
  }
}
