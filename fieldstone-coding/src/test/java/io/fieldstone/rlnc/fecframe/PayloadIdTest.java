package io.fieldstone.rlnc.fecframe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadIdTest {

  static MemorySegment hex(String digits) {
    return MemorySegment.ofArray(HexFormat.of().parseHex(digits));
  }

  static String hex(MemorySegment memory) {
    return HexFormat.of().formatHex(memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
  }

  /** The second line is a known answer of cu-fec (copper-project/copper-rs, src/wire.rs). */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 1, 0, 0000000100000000",
    "0x1234, 10, 0xbcd, 0x89abcdef, 1234abcd89abcdef",
    "65535, 15, 4095, 4294967295, ffffffffffffffff",
    "1, 0, 4095, 2147483648, 00010fff80000000",
  })
  void repairPayloadIdsHaveTheBytesOfTheRfc(
      String key, int threshold, String symbols, String first, String bytes) throws Exception {
    RepairPayloadId id =
        new RepairPayloadId(
            Integer.decode(key), threshold, Integer.decode(symbols), Long.decode(first));
    MemorySegment packet = MemorySegment.ofArray(new byte[12]);
    id.writeTo(packet);
    assertThat(hex(packet)).isEqualTo(bytes + "00000000");
    assertThat(RepairPayloadId.parse(packet)).isEqualTo(id);
  }

  @Test
  void sourcePayloadIdsAreAtTheEndOfThePacket() throws Exception {
    MemorySegment packet = hex("0102031234567f");
    new SourcePayloadId(0x89abcdefL).writeTo(packet);
    assertThat(hex(packet)).isEqualTo("01020389abcdef");
    assertThat(SourcePayloadId.parse(packet)).isEqualTo(new SourcePayloadId(0x89abcdefL));
    assertThat(SourcePayloadId.parse(hex("ffffffff"))).isEqualTo(new SourcePayloadId(0xffffffffL));
  }

  @Test
  void shortPacketsAndEmptyWindowsAreRefused() {
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> SourcePayloadId.parse(hex("010203")))
        .withMessageContaining("3 bytes, at least 4");
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> RepairPayloadId.parse(hex("01020304050607")))
        .withMessageContaining("7 bytes, at least 8");
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> RepairPayloadId.parse(hex("0001f00000000000")))
        .withMessageContaining("0 source symbols");
  }

  @Test
  void numbersOutOfRangeAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RepairPayloadId(65536, 0, 1, 0))
        .withMessage("repair key 65536 is not in 0…65535");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RepairPayloadId(0, 16, 1, 0))
        .withMessage("density threshold 16 is not in 0…15");
    for (int symbols : new int[] {0, 4096}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new RepairPayloadId(0, 0, symbols, 0))
          .withMessage("number of source symbols " + symbols + " is not in 1…4095");
    }
    for (long esi : new long[] {-1, 1L << 32}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new RepairPayloadId(0, 0, 1, esi))
          .withMessage("ESI " + esi + " is not in 0…4294967295");
      assertThatIllegalArgumentException().isThrownBy(() -> new SourcePayloadId(esi));
    }
  }
}
