package io.fieldstone.rlnc.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Coded blocks, alone and in records; the first byte says which, and whether the CRC is mended. */
public class WireBlockFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(data, 1, data.length);
    if ((data[0] & 1) != 0 && bytes.length >= WireBlock.HEADER_BYTES) {
      CRC32C crc = new CRC32C();
      crc.update(bytes, 0, CRC_AT);
      crc.update(bytes, CRC_AT + Integer.BYTES, bytes.length - CRC_AT - Integer.BYTES);
      ByteBuffer.wrap(bytes).putInt(CRC_AT, (int) crc.getValue());
    }
    try {
      MemorySegment memory = MemorySegment.ofArray(bytes);
      int vectorBytes = (data[0] & 0xFF) >>> 2;
      WireBlock block =
          (data[0] & 2) == 0 ? WireBlock.parse(memory) : WireBlock.parseRecord(memory, vectorBytes);
      assertThat(block.byteSize()).isLessThanOrEqualTo(bytes.length);
      assertThat(block.block().payload().byteSize()).isEqualTo(block.shape().blockSize());
    } catch (MalformedDataException e) {
      assertThat(e.offset()).isBetween(0L, (long) bytes.length);
    }
  }

  private static final int CRC_AT = 60;

  @Test
  void replays() throws Exception {
    Replay.run(WireBlockFuzzTest.class, WireBlockFuzzTest::fuzzerTestOneInput);
  }
}
