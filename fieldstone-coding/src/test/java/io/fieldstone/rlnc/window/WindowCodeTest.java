package io.fieldstone.rlnc.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowCodeTest {

  private static byte[] draw(WindowCode code, int key, int count) {
    byte[] coefficients = new byte[count];
    Arrays.fill(coefficients, (byte) 0x77);
    code.coefficients(key, count, MemorySegment.ofArray(coefficients));
    return coefficients;
  }

  static List<String> digests() throws IOException {
    try (InputStream text = WindowCodeTest.class.getResourceAsStream("coefficients.txt")) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }

  /** Every density of both fields; all keys that the wire has. */
  @ParameterizedTest
  @MethodSource("digests")
  void coefficientsAreThoseOfSwifCodec(String line) throws NoSuchAlgorithmException {
    String[] fields = line.split(" ");
    WindowCode code = new WindowCode(Integer.parseInt(fields[0]), Integer.parseInt(fields[1]));
    int count = Integer.parseInt(fields[2]);
    int first = Integer.parseInt(fields[3]);
    int keys = Integer.parseInt(fields[4]);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (int key = first; key < first + keys; key++) {
      digest.update(draw(code, key, count));
    }
    assertThat(HexFormat.of().formatHex(digest.digest())).isEqualTo(fields[5]);
  }

  /** From the same program as coefficients.txt. */
  @ParameterizedTest
  @CsvSource({
    "8, 15, 0, 272a99d0b0db4d4885a326acba7f8aec",
    "8, 15, 1, 25e1b1b015f6368ba8edd3bb3ebe6887",
    "8, 15, 65535, 34c74cf4d0ce70f8f8497864552af391",
    "8, 7, 1, e1b0f68b0000bb000000d2b0000028b3",
    "8, 0, 2, 000000000000003f0000000000000000",
    "1, 7, 1, 01010101010101000000010000000001",
    "1, 15, 0, 01010101010101010101010101010101",
  })
  void smallExamplesAreThoseOfSwifCodec(int elementBits, int threshold, int key, String hex) {
    assertThat(draw(new WindowCode(elementBits, threshold), key, 16))
        .isEqualTo(HexFormat.of().parseHex(hex));
  }

  @Test
  void longerWindowsBeginWithTheCoefficientsOfShorterOnes() {
    byte[] all = draw(WindowCode.GF256, 4711, WindowCode.MAX_COUNT);
    for (int count : new int[] {1, 2, 255, 4094}) {
      assertThat(draw(WindowCode.GF256, 4711, count)).isEqualTo(Arrays.copyOf(all, count));
    }
  }

  @Test
  void bytesBeyondTheCountAreKept() {
    byte[] memory = new byte[10];
    Arrays.fill(memory, (byte) 0x77);
    WindowCode.GF256.coefficients(1, 3, MemorySegment.ofArray(memory).asSlice(2));
    assertThat(HexFormat.of().formatHex(memory)).isEqualTo("777725e1b17777777777");
    new WindowCode(1, 15).coefficients(0, 2, MemorySegment.ofArray(memory).asSlice(6));
    assertThat(HexFormat.of().formatHex(memory)).isEqualTo("777725e1b17701017777");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 7, 14, 15})
  void shareOfNonzeroCoefficientsFollowsTheThreshold(int threshold) {
    int nonzero = 0;
    for (int key = 0; key < 100; key++) {
      for (byte coefficient : draw(new WindowCode(8, threshold), key, 1000)) {
        nonzero += coefficient == 0 ? 0 : 1;
      }
    }
    double expected = (threshold + 1) / 16.0;
    assertThat(nonzero / 100_000.0).isCloseTo(expected, within(threshold == 15 ? 0 : 0.005));
  }

  @Test
  void binaryCodeOfThresholdFifteenHasOneKey() {
    WindowCode parity = new WindowCode(1, 15);
    assertThat(parity.keys()).isEqualTo(1);
    assertThat(WindowCode.GF2.keys()).isEqualTo(65536);
    assertThat(WindowCode.GF256.keys()).isEqualTo(65536);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> draw(parity, 1, 4))
        .withMessageContaining("repair key 1 is not in 0…0");
  }

  @Test
  void valuesOutOfRangeAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WindowCode(4, 15))
        .withMessageContaining("4 bits");
    for (int threshold : new int[] {-1, 16}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new WindowCode(8, threshold))
          .withMessageContaining("threshold " + threshold + " is not in 0…15");
    }
    for (int key : new int[] {-1, 65536}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> draw(WindowCode.GF256, key, 4))
          .withMessageContaining("repair key " + key + " is not in 0…65535");
    }
    for (int count : new int[] {0, 4096}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> draw(WindowCode.GF256, 0, count))
          .withMessageContaining(count + " source symbols");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowCode.GF256.coefficients(0, 5, MemorySegment.ofArray(new byte[4])))
        .withMessageContaining("4 bytes for 5 coefficients");
  }
}
