package io.fieldstone.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.ChildJvm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory that another thread writes or closes during a call leads no engine out of its buffers, in
 * JVMs of their own. {@code -Dfieldstone.races.seconds=600} goes on for longer.
 */
class CpuMemoryRacesTest {

  private static final String SECONDS = System.getProperty("fieldstone.races.seconds", "1");

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "cpu:scalar"})
  void memoryThatIsWrittenOrClosedDuringACallEndsNoProcess(String spec) throws Exception {
    assertThat(ChildJvm.run(MemoryRaces.class, spec, SECONDS))
        .contains(spec + ": ")
        .contains(" calls returned");
  }
}
