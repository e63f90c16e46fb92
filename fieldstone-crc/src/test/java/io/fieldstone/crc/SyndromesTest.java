package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SyndromesTest {

  private static final int ALL = 100_000;

  @ParameterizedTest
  @MethodSource("io.fieldstone.crc.RandomModels#ofEveryWidth")
  void findsEveryBitThatMayHaveBeenFlipped(CrcModel model) {
    Random random = new Random(model.width());
    Crc crc = Crc.of(model);
    byte[] message = new byte[1 + random.nextInt(40)];
    random.nextBytes(message);
    CrcValue expected = crc.hash(message);
    BitError error = new BitError(random.nextInt(message.length), random.nextInt(8));
    message[(int) error.offset()] ^= error.mask();
    CrcValue actual = crc.hash(message);
    message[(int) error.offset()] ^= error.mask();

    List<BitError> found = Syndromes.of(model).findBitErrors(expected, actual, message.length, ALL);

    assertThat(found).contains(error).doesNotHaveDuplicates();
    int explanations = 0;
    for (int offset = 0; offset < message.length; offset++) {
      for (int bit = 0; bit < 8; bit++) {
        message[offset] ^= (byte) (1 << bit);
        explanations += crc.hash(message).equals(actual) ? 1 : 0;
        message[offset] ^= (byte) (1 << bit);
      }
    }
    assertThat(found).hasSize(explanations);
    assertThat(Syndromes.of(model).findBitErrors(expected, actual, message.length, 1))
        .containsExactly(found.getFirst());
    assertThat(Syndromes.of(model).findBitErrors(expected, expected, message.length, ALL))
        .isEmpty();
  }

  /**
   * A tenth of a terabyte of zeros but for one bit: nothing that takes a step for each bit gets
   * there. The powers of x repeat after a gigabyte or so, which is how far this CRC distinguishes
   * bits apart.
   */
  @Test
  void findsABitInALongMessage() {
    CrcModel model = CrcCatalogue.model("CRC-64/XZ");
    Crc crc = Crc.of(model);
    long before = 123_456_789_012L;
    long after = 3_210_987_654L;
    long length = before + 1 + after;
    CrcValue one = crc.hash(new byte[] {0x20});
    CrcValue expected = crc.zeros(length);
    CrcValue actual = crc.combine(crc.combine(crc.zeros(before), one, 1), crc.zeros(after), after);

    List<BitError> found = Syndromes.of(model).findBitErrors(expected, actual, length, ALL);

    assertThat(found).contains(new BitError(before, 5)).hasSizeGreaterThan(100);
    for (BitError error : found) {
      CrcValue same = crc.hash(new byte[] {error.mask()});
      long rest = length - 1 - error.offset();
      assertThat(
              crc.combine(crc.combine(crc.zeros(error.offset()), same, 1), crc.zeros(rest), rest))
          .isEqualTo(actual);
    }
  }

  @Test
  void findsNoBitWhereTwoAreWrong() {
    CrcModel model = CrcCatalogue.model("CRC-32/ISO-HDLC");
    Crc crc = Crc.of(model);
    byte[] message = new byte[1000];
    CrcValue expected = crc.hash(message);
    message[3] = 1;
    message[700] = 2;

    assertThat(Syndromes.of(model).findBitErrors(expected, crc.hash(message), 1000, ALL)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("io.fieldstone.crc.RandomModels#ofEveryWidth")
  void makesAMessageHaveAnyChecksum(CrcModel model) {
    Random random = new Random(model.width());
    Crc crc = Crc.of(model);
    Syndromes syndromes = Syndromes.of(model);
    int length = syndromes.patchLength();
    byte[] message = new byte[length + random.nextInt(100)];
    random.nextBytes(message);
    int offset = random.nextInt(message.length - length + 1);
    CrcValue wanted = RandomModels.value(random, model.width());

    byte[] patch = syndromes.patch(crc, MemorySegment.ofArray(message), offset, wanted);

    assertThat(patch).hasSize(length);
    System.arraycopy(patch, 0, message, offset, length);
    assertThat(crc.hash(message)).isEqualTo(wanted);
  }

  @Test
  void rejectsInvalidArguments() {
    CrcModel model = CrcCatalogue.model("CRC-32/ISO-HDLC");
    Crc crc = Crc.of(model);
    Syndromes syndromes = Syndromes.of(model);
    CrcValue value = crc.zeros(9);
    MemorySegment message = MemorySegment.ofArray(new byte[9]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> syndromes.findBitErrors(value, value, -1, 1))
        .withMessageContaining("length -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> syndromes.findBitErrors(value, value, 1, -1))
        .withMessageContaining("-1 errors");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> syndromes.change(value, CrcValue.of(16, 1), 0));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> syndromes.patch(crc, message, 6, value));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> syndromes.patch(Crc.of(CrcCatalogue.model("CRC-32C")), message, 0, value));
  }

  @ParameterizedTest
  @MethodSource("io.fieldstone.crc.RandomModels#ofEveryWidth")
  void writesLettersThatGiveAnyChecksum(CrcModel model) {
    Random random = new Random(model.width());
    Crc crc = Crc.of(model);
    Syndromes syndromes = Syndromes.of(model);
    int length;
    try {
      length = syndromes.lettersLength();
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("letters do not reach every checksum");
      return; // such as x^8 + 1
    }
    byte[] message = new byte[length + random.nextInt(20)];
    random.nextBytes(message);
    int offset = random.nextInt(message.length - length + 1);
    CrcValue wanted = crc.hash(new byte[] {1, 2, 3});
    byte[] place = Arrays.copyOfRange(message, offset, offset + length);

    byte[] letters =
        syndromes.letters(crc.hash(message), place, wanted, message.length - offset - length);

    assertThat(new String(letters, StandardCharsets.US_ASCII)).matches("[H-Oh-o]+");
    System.arraycopy(letters, 0, message, offset, length);
    assertThat(crc.hash(message)).isEqualTo(wanted);
  }

  @Test
  void needsAboutTwoLettersForAByteOfTheChecksum() {
    assertThat(Syndromes.of(CrcCatalogue.model("CRC-32")).lettersLength()).isEqualTo(9);
    assertThat(Syndromes.of(CrcCatalogue.model("CRC-64/XZ")).lettersLength()).isBetween(16, 18);
  }
}
