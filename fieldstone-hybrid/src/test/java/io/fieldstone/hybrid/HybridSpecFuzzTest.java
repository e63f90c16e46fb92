package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names of several engines. */
public class HybridSpecFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    HybridSpec.family(text);
    boolean isHybrid = HybridSpec.isHybrid(text);
    HybridSpec spec;
    try {
      spec = HybridSpec.parse(text, LISTED);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    assertThat(spec.parts()).isNotEmpty();
    assertThat(spec.parts().size()).isLessThanOrEqualTo(2 * text.length() + 1);
    if (!isHybrid) {
      assertThat(text.substring(0, Math.max(0, text.indexOf('@')))).doesNotContain("+");
    }
  }

  private static final List<EngineStatus> LISTED =
      List.of(
          EngineStatus.present("cpu", EngineKind.CPU, "cores"),
          EngineStatus.present("cuda:0", EngineKind.GPU, "a GPU"),
          EngineStatus.present("cuda:1", EngineKind.GPU, "another"),
          EngineStatus.missing("gpu:0", EngineKind.GPU, "none", "no driver"));

  @Test
  void replays() throws Exception {
    Replay.run(HybridSpecFuzzTest.class, HybridSpecFuzzTest::fuzzerTestOneInput);
  }
}
