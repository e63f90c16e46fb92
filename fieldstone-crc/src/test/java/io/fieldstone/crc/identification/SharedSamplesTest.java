package io.fieldstone.crc.identification;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Samples of this project with known answers: hexadecimal messages and checksums, or frames. The
 * answers are those of the programs that made the samples.
 */
class SharedSamplesTest {

  private static Finding identify(String name) throws IOException {
    return CrcIdentifier.create().identify(read(name));
  }

  private static List<Sample> read(String name) throws IOException {
    List<Sample> samples = new ArrayList<>();
    try (InputStream in =
        Objects.requireNonNull(SharedSamplesTest.class.getResourceAsStream(name), name)) {
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      for (String line : text.lines().toList()) {
        List<String> words = List.of(line.split(" "));
        byte[] bytes = HexFormat.of().parseHex(words.getFirst());
        int number = samples.size() + 1;
        samples.add(
            words.size() == 1
                ? Sample.frame(number, bytes)
                : Sample.of(
                    number, bytes, CrcValue.parse(4 * words.get(1).length(), words.get(1))));
      }
    }
    return samples;
  }

  private static String parameters(CrcModel model) {
    return model.toString().replaceAll(" name=.*", "");
  }

  @Test
  void aCorruptSampleIsNamed() throws IOException {
    Finding.Found found = (Finding.Found) identify("one-corrupt-16.txt");

    assertThat(parameters(found.best().model()))
        .isEqualTo("width=16 poly=0x8bb7 init=0x5aa5 refin=false refout=false xorout=0x0000");
    assertThat(found.outliers()).containsExactly(3);
    assertThat(found.best().openBits()).isEqualTo(16);
    assertThat(found.best().isCertain()).isTrue();
  }

  @Test
  void twoLengthsDecideInitAndXorout() throws IOException {
    Finding.Found found = (Finding.Found) identify("two-lengths-8.txt");

    assertThat(parameters(found.best().model()))
        .isEqualTo("width=8 poly=0x4d init=0x1c refin=false refout=false xorout=0x00");
    assertThat(found.models()).hasSize(1);
    assertThat(found.best().openBits() + found.best().equivalentBits()).isZero();
    assertThat(found.best().decidingBytes()).isEmpty();
    assertThat(found.outliers()).isEmpty();
  }

  @Test
  void oneLengthLeavesAClass() throws IOException {
    Finding.Found found = (Finding.Found) identify("texts-64.txt");

    assertThat(parameters(found.best().model()))
        .isEqualTo(
            "width=64 poly=0x259c84cba6426349 init=0x0000000000000000 refin=true refout=true"
                + " xorout=0x0000000000000000");
    assertThat(found.best().openBits() + found.best().equivalentBits()).isEqualTo(64);
    assertThat(found.best().decidingBytes()).isPresent();
  }

  @Test
  void rangeAndFieldAreFoundInFrames() throws IOException {
    Finding.Found found = (Finding.Found) identify("frames-range-32.txt");
    FoundModel best = found.best();

    assertThat(best.model().poly()).isEqualTo(CrcValue.parse(32, "814141ab"));
    assertThat(best.model().refin()).isFalse();
    assertThat(best.model().refout()).isFalse();
    assertThat(best.isLittleEndian()).isTrue();
    assertThat(best.from()).isEqualTo(4);
    assertThat(best.behind()).isEqualTo(7);
    assertThat(best.field()).isEqualTo(Optional.of(-4));
    assertThat(best.openBits() + best.equivalentBits()).isEqualTo(32);
  }

  @Test
  void anAffineFunctionIsNoCrc() throws IOException {
    Finding.Affine affine = (Finding.Affine) identify("affine-no-crc-8.txt");

    assertThat(affine.matrix().rows()).isEqualTo(8);
    assertThat(affine.matrix().columns()).isEqualTo(17);
    assertThat(affine.isComplete()).isTrue();
    for (Sample each : read("affine-no-crc-8.txt")) {
      long vector = 1L << 16;
      for (int bit = 0; bit < 16; bit++) {
        vector |= (long) (each.bytes()[bit / 8] >>> 7 - bit % 8 & 1) << bit;
      }
      long product = Long.reverse(affine.matrix().multiply(new long[] {vector})[0]) >>> 56;
      assertThat(product).isEqualTo(each.checksum().orElseThrow().toLong());
    }
  }

  @Test
  void aSumIsNotAffine() throws IOException {
    Finding.NotAffine not = (Finding.NotAffine) identify("sum-8.txt");
    List<Sample> samples = read("sum-8.txt");
    byte[] sum = new byte[3];
    CrcValue checksums = CrcValue.zeros(8);
    List<Integer> all = new ArrayList<>(not.first());
    all.addAll(not.second());
    assertThat(all.size() % 2).isZero();
    for (int number : all) {
      Sample each = samples.get(number - 1);
      for (int i = 0; i < sum.length; i++) {
        sum[i] ^= each.bytes()[i];
      }
      checksums = checksums.xor(each.checksum().orElseThrow());
    }
    assertThat(sum).containsOnly(0);
    assertThat(checksums.isZero()).isFalse();
  }
}
