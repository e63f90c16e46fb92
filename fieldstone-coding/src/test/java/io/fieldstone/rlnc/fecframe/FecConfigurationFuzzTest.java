package io.fieldstone.rlnc.fecframe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Session descriptions; what is read is the same after it was written and read again. */
public class FecConfigurationFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.ISO_8859_1);
    try {
      FecConfiguration configuration = FecConfiguration.parseSdp(text);
      StringBuilder lines = new StringBuilder(configuration.repairFlow().line());
      for (SourceFlow flow : configuration.sourceFlows()) {
        lines.append('\n').append(flow.line());
      }
      assertThat(FecConfiguration.parseSdp(lines.toString())).isEqualTo(configuration);
    } catch (MalformedDataException e) {
      assertThat(e.offset()).isBetween(0L, (long) data.length);
    }
    for (String line : text.lines().toList()) {
      try {
        RepairFlow flow = RepairFlow.parse(line);
        assertThat(RepairFlow.parse(flow.line())).isEqualTo(flow);
      } catch (MalformedDataException e) {
        assertThat(e.offset()).isBetween(0L, (long) Math.max(line.length(), 32));
      }
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(FecConfigurationFuzzTest.class, FecConfigurationFuzzTest::fuzzerTestOneInput);
  }
}
