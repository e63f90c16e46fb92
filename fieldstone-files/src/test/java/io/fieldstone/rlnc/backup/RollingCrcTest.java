package io.fieldstone.rlnc.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A window that moves has the checksum of its bytes. */
class RollingCrcTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 63, 64, 1000})
  void aMovedWindowHasTheChecksumOfItsBytes(int size) {
    byte[] bytes = new byte[size + 600];
    new Random(size).nextBytes(bytes);
    RollingCrc rolling = new RollingCrc(size);
    int crc = RollingCrc.of(MemorySegment.ofArray(bytes).asSlice(0, size));
    for (int at = 0; at + size <= bytes.length; at++) {
      CRC32 expected = new CRC32();
      expected.update(bytes, at, size);
      assertThat(crc).as("at %d", at).isEqualTo((int) expected.getValue());
      if (at + size < bytes.length) {
        crc = rolling.moved(crc, bytes[at], bytes[at + size]);
      }
    }
  }
}
