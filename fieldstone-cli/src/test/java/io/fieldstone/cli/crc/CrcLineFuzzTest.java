package io.fieldstone.cli.crc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Lines of lists of checksums: printed in either way, they are read as the same. */
public class CrcLineFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    for (String line : text.split("[\\r\\n]")) {
      Optional<CrcLine> parsed = read(line, PLAIN);
      if (parsed.isPresent()) {
        assertThat(read(parsed.get().gnu(), parsed.get().model())).isEqualTo(parsed);
        assertThat(parsed.get().gnu()).doesNotContain("\n").doesNotContain("\r");
        assertThat(read(parsed.get().tagged(), PLAIN)).isEqualTo(parsed);
      }
      Optional<CrcLine> base64 = CrcLine.parseBase64(line, PLAIN);
      if (base64.isPresent()) {
        assertThat(CrcLine.parseBase64(base64.get().base64(), PLAIN)).isEqualTo(base64);
        assertThat(base64.get().base64()).doesNotContain("\n").doesNotContain("\r");
      }
      Optional<CrcLine> sfv = CrcLine.parseSfv(line, PLAIN);
      if (sfv.isPresent() && CrcLine.fitsSfv(sfv.get().path())) {
        assertThat(CrcLine.parseSfv(sfv.get().sfv(), PLAIN).orElseThrow().checksum())
            .isEqualTo(sfv.get().checksum());
        assertThat(sfv.get().sfv()).doesNotStartWith(";").doesNotContain("\n");
      }
    }
  }

  private static Optional<CrcLine> read(String line, CrcModel model) {
    return new CrcLineReader(model).read(line);
  }

  private static final CrcModel PLAIN = CrcCatalogue.model("CRC-32/ISO-HDLC");

  @Test
  void replays() throws Exception {
    Replay.run(CrcLineFuzzTest.class, CrcLineFuzzTest::fuzzerTestOneInput);
  }
}
