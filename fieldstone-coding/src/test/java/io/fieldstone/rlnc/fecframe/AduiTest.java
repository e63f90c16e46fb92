package io.fieldstone.rlnc.fecframe;

import static io.fieldstone.rlnc.fecframe.PayloadIdTest.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AduiTest {

  @ParameterizedTest
  @CsvSource({
    "0, 4, 1",
    "1, 4, 1",
    "2, 4, 2",
    "5, 4, 2",
    "6, 4, 3",
    "1316, 1319, 1",
    "1317, 1319, 2",
    "65535, 4, 16385",
    "65535, 65535, 2"
  })
  void adusTakeWholeSymbols(int aduBytes, int symbolBytes, int symbols) {
    assertThat(Adui.symbols(aduBytes, symbolBytes)).isEqualTo(symbols);
  }

  @Test
  void flowAndLengthPrecedeTheAduAndZerosFollow() throws Exception {
    byte[] memory = new byte[10];
    Arrays.fill(memory, (byte) 0x77);
    MemorySegment adui = MemorySegment.ofArray(memory);
    Adui.write(0xfe, hex("a1a2a3"), adui);
    assertThat(hex(adui)).isEqualTo("fe0003a1a2a300000000");
    assertThat(Adui.flow(adui)).isEqualTo(0xfe);
    assertThat(hex(Adui.adu(adui))).isEqualTo("a1a2a3");
  }

  /** Odd lengths, empty ADUs and the largest one. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 255, 256, 257, 1315, 1316, 65535})
  void everyByteOfAnAduComesBack(int length) throws Exception {
    byte[] adu = new byte[length];
    for (int i = 0; i < length; i++) {
      adu[i] = (byte) (i * 31 + 7);
    }
    MemorySegment adui = MemorySegment.ofArray(new byte[Adui.symbols(length, 100) * 100]);
    Adui.write(3, MemorySegment.ofArray(adu), adui);
    assertThat(Adui.adu(adui).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(adu);
  }

  @Test
  void lengthsAndPaddingOfSolvedSymbolsAreChecked() {
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> Adui.adu(hex("000002a1")))
        .withMessageContaining("an ADU of 2 bytes in 4 bytes");
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> Adui.adu(hex("00ffffa1a2")))
        .withMessageContaining("an ADU of 65535 bytes");
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> Adui.adu(hex("000001a10001")))
        .withMessageContaining("padding is not zero (at byte 5)");
    assertThatExceptionOfType(MalformedDataException.class).isThrownBy(() -> Adui.adu(hex("0000")));
  }

  @Test
  void adusThatDoNotFitAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Adui.write(256, hex(""), hex("000000")))
        .withMessage("flow 256 is not in 0…255");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Adui.write(0, hex("a1a2"), hex("00000000")))
        .withMessage("4 bytes for ADU information of 5");
    MemorySegment large = MemorySegment.ofArray(new byte[65536]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Adui.write(0, large, MemorySegment.ofArray(new byte[70000])))
        .withMessage("length of an ADU 65536 is not in 0…65535");
  }
}
