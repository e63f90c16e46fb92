package io.fieldstone.cli.crc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.crc.identification.Sample;
import io.fieldstone.testing.Replay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Samples in lines and in CSV: they are read, or refused with a place. */
public class SampleTextFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    check(() -> SampleText.parse("file", text, name -> name.getBytes(StandardCharsets.UTF_8)));
    check(() ->
        SampleText.parseCsv(
            "file", text, List.of(), name -> name.getBytes(StandardCharsets.UTF_8)));
  }

  private interface Parser {
    List<Sample> parse() throws IOException, Failure;
  }

  private static void check(Parser parser) {
    try {
      List<Sample> samples = parser.parse();
      assertThat(samples).isNotEmpty();
      assertThat(samples.stream().map(each -> each.checksum().isPresent()).distinct()).hasSize(1);
      assertThat(samples.stream().map(Sample::number)).isSorted();
    } catch (Failure e) {
      assertThat(e).hasMessageContaining("file");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(SampleTextFuzzTest.class, SampleTextFuzzTest::fuzzerTestOneInput);
  }
}
