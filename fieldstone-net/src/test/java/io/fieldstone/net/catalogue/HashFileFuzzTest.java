package io.fieldstone.net.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.testing.Replay;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A file of hashes that can be read is written as it was. */
public class HashFileFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      List<HashFile.Entry> entries = HashFile.read(new ByteArrayInputStream(data), data.length);
      ByteArrayOutputStream written = new ByteArrayOutputStream();
      HashFile.write(written, entries);
      assertThat(written.toByteArray()).isEqualTo(data);
    } catch (MalformedDataException e) {
      assertThat(e.getMessage()).isNotEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(HashFileFuzzTest.class, HashFileFuzzTest::fuzzerTestOneInput);
  }
}
