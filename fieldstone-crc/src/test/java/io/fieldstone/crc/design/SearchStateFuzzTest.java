package io.fieldstone.crc.design;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Checkpoints of a search: what can be read is written as it was. */
public class SearchStateFuzzTest {

  /** Called by a fuzzer, too. The checksum is set right, so that what is behind it is read. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.ISO_8859_1);
    read(text);
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    read(text + "crc32 %08x\n".formatted(crc.getValue()));
  }

  private static void read(String text) {
    SearchState state;
    try {
      state = SearchState.parse(text);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).contains("checkpoint");
      return;
    }
    assertThat(SearchState.parse(state.text())).isEqualTo(state);
  }

  @Test
  void readsWhatItWrites() {
    SearchState state =
        new SearchState(
            new SearchGoal(16, 135, OptionalInt.of(6)), 4096, 6, new long[] {0x1021, 0x8005});
    assertThat(SearchState.parse(state.text())).isEqualTo(state);
  }

  @Test
  void replays() throws Exception {
    Replay.run(SearchStateFuzzTest.class, SearchStateFuzzTest::fuzzerTestOneInput);
  }
}
