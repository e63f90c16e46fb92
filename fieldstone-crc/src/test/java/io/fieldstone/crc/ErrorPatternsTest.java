package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ErrorPatternsTest {

  private static final int ALL = 1000;

  /** Downlink of transponders, ICAO Annex 10, Volume IV, 3.1.2.3.3: 88 bits and 24 of parity. */
  private static final CrcModel MODE_S = CrcModel.of("mode-s", CrcValue.parse(24, "fff409"));

  /** Radio Data System, IEC 62106: 16 bits and 10 of the checkword. */
  private static final CrcModel RDS = CrcModel.of("rds", CrcValue.parse(10, "1b9"));

  /** A message with its checksum, in which bits are flipped. */
  private static final class Frame {
    private final CrcModel model;
    private final Crc crc;
    private final byte[] message;
    private final int bits;
    private CrcValue received;

    Frame(CrcModel model, int bits, Random random) {
      this.model = model;
      this.bits = bits;
      crc = Crc.of(model);
      message = new byte[(bits + 7) / 8];
      random.nextBytes(message);
      received = actual();
    }

    CrcValue actual() {
      return crc.hashBits(MemorySegment.ofArray(message), bits);
    }

    void flip(WrongBit bit) {
      if (bit.inChecksum()) {
        CrcValue one = CrcValue.of(model.width(), 1);
        for (int i = 0; i < bit.bit(); i++) {
          one = new CrcValue(model.width(), one.high() << 1 | one.low() >>> 63, one.low() << 1);
        }
        received = received.xor(one);
      } else {
        message[(int) bit.offset()] ^= (byte) (1 << bit.bit());
      }
    }

    WrongBit bit(int position) {
      if (position >= bits) {
        int at = position - bits;
        return new WrongBit(position, true, 0, model.refout() ? at : model.width() - 1 - at);
      }
      int at = position % 8;
      return new WrongBit(position, false, position / 8, model.refin() ? at : 7 - at);
    }
  }

  @Test
  void tellsAllPatternsOfTwoBitsInModeSApart() {
    Frame frame = new Frame(MODE_S, 88, new Random(1));
    ErrorPatterns patterns = ErrorPatterns.of(MODE_S, 88);
    int different = 0;
    for (int i = 0; i < 112; i++) {
      WrongBit first = frame.bit(i);
      frame.flip(first);
      assertThat(patterns.ofBursts(frame.received, frame.actual(), 1, ALL))
          .containsExactly(List.of(first));
      assertThat(patterns.ofTwoBits(frame.received, frame.actual(), ALL)).isEmpty();
      different++;
      for (int j = i + 1; j < 112; j++) {
        WrongBit second = frame.bit(j);
        frame.flip(second);
        assertThat(patterns.ofTwoBits(frame.received, frame.actual(), ALL))
            .containsExactly(List.of(first, second));
        assertThat(patterns.ofBursts(frame.received, frame.actual(), 1, ALL)).isEmpty();
        frame.flip(second);
        different++;
      }
      frame.flip(first);
    }
    assertThat(different).isEqualTo(6_328);
    assertThat(patterns.ofTwoBits(frame.received, frame.actual(), ALL)).isEmpty();
  }

  @Test
  void tellsAllBurstsOfFiveBitsInABlockOfRdsApart() {
    Frame frame = new Frame(RDS, 16, new Random(2));
    ErrorPatterns patterns = ErrorPatterns.of(RDS, 16);
    for (int start = 0; start < 26; start++) {
      for (int terms = 1; terms < 32; terms += 2) {
        List<WrongBit> burst = new ArrayList<>();
        for (int i = 0; i < 5 && start + i < 26; i++) {
          if ((terms >>> i & 1) != 0) {
            burst.add(frame.bit(start + i));
          }
        }
        burst.forEach(frame::flip);
        assertThat(patterns.ofBursts(frame.received, frame.actual(), 5, ALL))
            .containsExactly(burst);
        burst.forEach(frame::flip);
      }
    }
    frame.flip(frame.bit(3));
    frame.flip(frame.bit(8));
    assertThat(patterns.ofBursts(frame.received, frame.actual(), 6, ALL))
        .contains(List.of(frame.bit(3), frame.bit(8)));
  }

  /** Every explanation that a search over all pairs and bursts finds, for every kind of model. */
  @ParameterizedTest
  @MethodSource("io.fieldstone.crc.RandomModels#ofEveryWidth")
  void findsWhatAnExhaustiveSearchFinds(CrcModel model) {
    Random random = new Random(model.width());
    int bits = 1 + random.nextInt(20);
    Frame frame = new Frame(model, bits, random);
    int all = bits + model.width();
    int i = random.nextInt(all);
    int j = random.nextInt(all - 1);
    j += j >= i ? 1 : 0;
    frame.flip(frame.bit(i));
    frame.flip(frame.bit(j));
    List<List<WrongBit>> expected = new ArrayList<>();
    for (int a = 0; a < all; a++) {
      for (int b = a + 1; b < all; b++) {
        frame.flip(frame.bit(a));
        frame.flip(frame.bit(b));
        if (frame.actual().equals(frame.received)) {
          expected.add(List.of(frame.bit(a), frame.bit(b)));
        }
        frame.flip(frame.bit(a));
        frame.flip(frame.bit(b));
      }
    }
    ErrorPatterns patterns = ErrorPatterns.of(model, bits);

    List<List<WrongBit>> found = patterns.ofTwoBits(frame.received, frame.actual(), 100_000);

    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(
            frame.received.equals(frame.actual()) ? List.of() : expected);
    int burst = Math.abs(i - j) + 1;
    if (burst <= model.width() && !frame.received.equals(frame.actual())) {
      assertThat(patterns.ofBursts(frame.received, frame.actual(), burst, 100_000))
          .contains(List.of(frame.bit(Math.min(i, j)), frame.bit(Math.max(i, j))));
    }
  }

  @Test
  void refusesWhatItCannotSearch() {
    CrcModel model = CrcCatalogue.model("CRC-32");
    CrcValue zero = CrcValue.zeros(32);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ErrorPatterns.of(model, -1))
        .withMessageContaining("-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ErrorPatterns.of(model, 1 << 22).ofTwoBits(zero, zero, 1))
        .withMessageContaining("4194336");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ErrorPatterns.of(model, 10).ofBursts(zero, zero, 33, 1))
        .withMessageContaining("33");
  }
}
