package io.fieldstone.rlnc.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShardRecordsTest {

  private static final byte[] MAGIC = {'F', 'S', 'B', 1};

  private static final long RECORD_ID = 0x0123456789abcdefL;

  private static final CodedObject OBJECT =
      new CodedObject(
          "name",
          new ObjectManifest(
              new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 4, 8),
              3 * 32 + 9,
              Optional.empty(),
              new Sha256(0, 0, 0, 0)));

  /** Bytes of which many begin a magic, and long stretches are zero. */
  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(300)];
    byte[] alphabet = {0, 'F', 'S', 'B', 1, 'G', (byte) 0x80, (byte) 0xC6};
    for (int at = 0; at < bytes.length; at++) {
      bytes[at] = alphabet[random.nextInt(alphabet.length)];
    }
    int from = random.nextInt(bytes.length + 1);
    Arrays.fill(bytes, from, from + random.nextInt(bytes.length - from + 1), (byte) 0);
    if (bytes.length >= MAGIC.length && random.nextBoolean()) {
      int at = random.nextInt(bytes.length - MAGIC.length + 1);
      System.arraycopy(MAGIC, 0, bytes, at, MAGIC.length);
    }
    return bytes;
  }

  private static int naive(byte[] bytes, int from) {
    for (int at = from; at + MAGIC.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + MAGIC.length, MAGIC, 0, MAGIC.length)) {
        return at;
      }
    }
    return -1;
  }

  @Test
  void findsTheSameRecordsAsASearchOfAllOffsets() {
    Random random = new Random(1);
    int found = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = bytes(random);
      int from = random.nextInt(bytes.length + 1);
      int expected = naive(bytes, from);
      assertThat(ShardRecords.find(MemorySegment.ofArray(bytes), from)).isEqualTo(expected);
      found += expected >= 0 ? 1 : 0;
    }
    assertThat(found).isBetween(2_000, 18_000);
  }

  @Test
  void skipsZerosLongerThanAnyItComparesAtOnce() {
    byte[] bytes = new byte[(1 << 18) + 11];
    MemorySegment segment = MemorySegment.ofArray(bytes);
    assertThat(ShardRecords.find(segment, 3)).isEqualTo(-1);
    for (int at : new int[] {65_535, 65_536, 131_075, bytes.length - 4}) {
      System.arraycopy(MAGIC, 0, bytes, at, MAGIC.length);
      assertThat(ShardRecords.find(segment, 3)).isEqualTo(at);
      Arrays.fill(bytes, (byte) 0);
    }
  }

  private static byte[] record(long generation, int n) {
    GenerationShape shape = OBJECT.shape().withBlocks(n);
    MemorySegment payload = MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    byte[] record = new byte[64 + 8];
    new WireBlock(
            RECORD_ID, shape, new CodedBlock(generation, new CodingVector.Seeded(5, 6), payload))
        .writeRecord(MemorySegment.ofArray(record), 0);
    return record;
  }

  /** A valid header is not sufficient for a record: every flipped bit is detected. */
  @Test
  void readsNoDamagedRecord() {
    ShardRecords records = new ShardRecords(OBJECT, RECORD_ID);
    byte[] good = record(2, 4);
    assertThat(records.matches(MemorySegment.ofArray(good), 0)).isTrue();
    assertThat(records.read(MemorySegment.ofArray(good), 0)).isPresent();
    for (int bit = 0; bit < 8 * good.length; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(records.read(MemorySegment.ofArray(bad), 0)).isEmpty();
      boolean isNamed =
          bit / 8 < 6 || bit / 8 >= 8 && bit / 8 < 24 || bit / 8 >= 44 && bit / 8 < 52;
      if (isNamed) {
        assertThat(records.matches(MemorySegment.ofArray(bad), 0)).as("bit %d", bit).isFalse();
      }
    }
  }

  @Test
  void aGenerationMustBeOneOfTheObjectWithItsNumberOfBlocks() {
    ShardRecords records = new ShardRecords(OBJECT, RECORD_ID);
    assertThat(records.matches(MemorySegment.ofArray(record(3, 2)), 0)).isTrue();
    assertThat(records.matches(MemorySegment.ofArray(record(3, 4)), 0)).isFalse();
    assertThat(records.matches(MemorySegment.ofArray(record(2, 2)), 0)).isFalse();
    assertThat(records.matches(MemorySegment.ofArray(record(4, 4)), 0)).isFalse();
    assertThat(records.matches(MemorySegment.ofArray(record(0xFFFF_FFFFL, 4)), 0)).isFalse();
  }
}
