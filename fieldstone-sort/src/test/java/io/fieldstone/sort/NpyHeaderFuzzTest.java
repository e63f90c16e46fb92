package io.fieldstone.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.testing.Replay;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Headers of {@code .npy} files: an array of one dimension, or one kind of error. */
public class NpyHeaderFuzzTest {

  private static final Path FILE = Path.of("x.npy");

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    byte[] start = Arrays.copyOf(data, Math.min(data.length, 1 << 16));
    try {
      NpyHeader header = NpyHeader.parse(FILE, start, data.length);
      long bytes = header.count() * header.key().bytes();
      assertThat(header.headerBytes() + bytes).isEqualTo(data.length);
      NpyHeader written = NpyHeader.of(header.layout(Direction.ASCENDING), header.count());
      byte[] again = written.toBytes();
      assertThat(again.length % 64).isZero();
      assertThat(NpyHeader.parse(FILE, again, again.length + bytes)).isEqualTo(written);
      assertThat(written.count()).isEqualTo(header.count());
    } catch (MalformedNpyException e) {
      assertThat(e).hasMessageStartingWith("x.npy: ");
      assertThat(e.offset()).isBetween(0L, (long) data.length);
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(NpyHeaderFuzzTest.class, NpyHeaderFuzzTest::fuzzerTestOneInput);
  }
}
