package io.fieldstone.rlnc.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.stream.file.Printable;
import io.fieldstone.testing.Replay;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * Headers of shards: a parsed header is written with the same bytes; the first byte says whether
 * the CRC is mended. Its name is that of a file in any folder.
 */
public class ShardHeaderFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(data, 1, data.length);
    if ((data[0] & 1) != 0 && bytes.length >= 12) {
      int length = Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort(10));
      if (length >= Integer.BYTES && length <= bytes.length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length - Integer.BYTES);
        ByteBuffer.wrap(bytes).putInt(length - Integer.BYTES, (int) crc.getValue());
      }
    }
    try {
      ShardHeader header = ShardHeader.parse(MemorySegment.ofArray(bytes));
      assertThat(header.toBytes()).isEqualTo(Arrays.copyOf(bytes, header.byteSize()));
      assertThat(header.recordBytes()).isPositive();
      assertIsInAnyFolder(header.descriptor().name());
      ShardHeader other = header.of(1, false);
      assertThat(ShardHeader.parse(MemorySegment.ofArray(other.toBytes()))).isEqualTo(other);
      assertThat(PublisherRecord.verified(other)).isEqualTo(PublisherRecord.verified(header));
    } catch (MalformedDataException e) {
      assertThat(e.offset()).isBetween(0L, (long) bytes.length);
    }
  }

  /** No name leads out of a folder, and none reaches a terminal as it is. */
  private static void assertIsInAnyFolder(String name) {
    assertThat(name).isNotEmpty().isNotIn(".", "..").doesNotContain("/", "\0");
    assertThat(Printable.line(name)).doesNotContainPattern("\\p{Cntrl}|[\\x{80}-\\x{9F}]");
  }

  @Test
  void replays() throws Exception {
    Replay.run(ShardHeaderFuzzTest.class, ShardHeaderFuzzTest::fuzzerTestOneInput);
  }
}
