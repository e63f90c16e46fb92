package io.fieldstone.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.ChildJvm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory that another thread writes or closes during a call leads no engine out of its buffers, in
 * JVMs of their own. {@code -Dfieldstone.disturbances.seconds=600} goes on for longer.
 */
class CpuDisturbancesTest {

  private static final String SECONDS = System.getProperty("fieldstone.disturbances.seconds", "1");

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "cpu:scalar"})
  void memoryThatIsWrittenOrClosedDuringACallEndsNoProcess(String spec) throws Exception {
    assertThat(ChildJvm.run(Disturbances.class, spec, SECONDS))
        .contains(spec + ": ")
        .contains(" calls returned");
  }
}
