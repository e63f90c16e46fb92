package io.fieldstone.conformance;

import io.fieldstone.engine.weights.BinaryWords;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** Makes random binary words in native or heap memory. */
final class RandomWords {

  private final SplittableRandom random;
  private final Arena arena;

  RandomWords(SplittableRandom random, Arena arena) {
    this.random = random;
    this.arena = arena;
  }

  /** Returns zero words. */
  BinaryWords zeros(long count, int length) {
    long bytes = count * BinaryWords.longsFor(length) * Long.BYTES;
    MemorySegment data =
        random.nextBoolean()
            ? arena.allocate(bytes + Long.BYTES).asSlice(random.nextInt(Long.BYTES), bytes)
            : MemorySegment.ofArray(new long[(int) bytes / Long.BYTES]);
    return new BinaryWords(data, count, length);
  }

  BinaryWords words(long count, int length) {
    BinaryWords words = zeros(count, length);
    for (int word = 0; word < count; word++) {
      for (int bit = 0; bit < length; bit++) {
        if (random.nextBoolean()) {
          set(words, word, bit);
        }
      }
    }
    return words;
  }

  /** Sets random bits of zero words to give them a weight. */
  void fillWithWeight(BinaryWords words, long first, long count, int weight) {
    for (long word = first; word < first + count; word++) {
      int missing = weight;
      for (int bit = 0; bit < words.length(); bit++) {
        if (random.nextInt(words.length() - bit) < missing) {
          set(words, word, bit);
          missing--;
        }
      }
    }
  }

  static void set(BinaryWords words, long word, int bit) {
    int part = bit / Long.SIZE;
    words.set(word, part, words.get(word, part) | 1L << bit % Long.SIZE);
  }
}
