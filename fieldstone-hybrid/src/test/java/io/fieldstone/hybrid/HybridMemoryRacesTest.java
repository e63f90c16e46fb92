package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.conformance.MemoryRaces;
import io.fieldstone.testing.ChildJvm;
import org.junit.jupiter.api.Test;

/** Memory that another thread writes or closes during a call, in a JVM of its own. */
class HybridMemoryRacesTest {

  private static final String SPEC = "cpu+cpu:scalar";
  private static final String SECONDS = System.getProperty("fieldstone.races.seconds", "1");

  @Test
  void memoryThatIsWrittenOrClosedDuringACallEndsNoProcess() throws Exception {
    assertThat(ChildJvm.run(MemoryRaces.class, SPEC, SECONDS))
        .contains(SPEC + ": ")
        .contains(" calls returned");
  }
}
