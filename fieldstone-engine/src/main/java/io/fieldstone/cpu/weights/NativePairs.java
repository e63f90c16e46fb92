package io.fieldstone.cpu.weights;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.memory.NativeCall;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.WordGroups;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Optional;

/** Counts pairs by the C kernel of {@code weights.c}: the popcounts of {@link VectorPairs}. */
final class NativePairs implements PairKernel {

  /** Name in {@code fs_NAME_LEVEL}. */
  static final String NAME = "count_pairs";

  /** Pairs above which it pays to load the library: a tenth of a second of {@link VectorPairs}. */
  private static final double LOAD_THRESHOLD = 1 << 28;

  /** Counts of x = 0 … 255. */
  private static final int COUNTS = BinaryWords.MAX_BITS;

  /** Bytes between parts beyond their words, so that they share no set of the first cache. */
  private static final long PADDING = 64 * Long.BYTES;

  private static final long ALIGNMENT = 64;

  private final MemorySegment function;
  private final int longs;

  /** The left words, one after another. */
  private final MemorySegment left;

  /** The right words: an array for each part of 64 bits. */
  private final MemorySegment right;

  private final long partBytes;

  NativePairs(NativeLibrary library, NativeLevel level, WordGroups left, WordGroups right) {
    this.function = library.function(NAME, level);
    BinaryWords words = right.words();
    this.longs = words.longs();
    this.left = copy(left.words());
    this.partBytes = words.count() * Long.BYTES + PADDING;
    this.right = Arena.ofAuto().allocate(partBytes * longs, ALIGNMENT);
    for (int part = 0; part < longs; part++) {
      for (long word = 0; word < words.count(); word++) {
        this.right.set(JAVA_LONG, part * partBytes + word * Long.BYTES, words.get(word, part));
      }
    }
  }

  /** Makes the kernel in C if it is present and pays off, else that in Java. */
  static PairKernel fastest(WordGroups left, WordGroups right) {
    boolean isWorthLoading =
        (double) left.words().count() * right.words().count() >= LOAD_THRESHOLD;
    return isWorthLoading || NativeLibrary.ifLoaded().isPresent()
        ? factory().orElse(VectorPairs::new).of(left, right)
        : new VectorPairs(left, right);
  }

  /** Returns what makes the kernel, if the library has it; loads the library. */
  static Optional<PairKernel.Factory> factory() {
    NativeLibrary library = NativeLibrary.get();
    return library.levels(NAME).stream()
        .findFirst()
        .map(level -> (left, right) -> new NativePairs(library, level, left, right));
  }

  private static MemorySegment copy(BinaryWords words) {
    int longs = words.longs();
    MemorySegment copy = Arena.ofAuto().allocate(words.count() * longs * Long.BYTES, ALIGNMENT);
    for (long i = 0; i < words.count() * longs; i++) {
      copy.set(JAVA_LONG, i * Long.BYTES, words.get(i / longs, (int) (i % longs)));
    }
    return copy;
  }

  @Override
  public void count(
      long firstLeft,
      long endLeft,
      int leftWeight,
      long firstRight,
      long endRight,
      int rightWeight,
      long[] byCommonOnes) {
    try (Arena arena = Arena.ofConfined()) {
      long counts = arena.allocate(JAVA_LONG, COUNTS).address();
      long _ =
          NativeCall.call(
              function,
              right.address() + firstRight * Long.BYTES,
              partBytes,
              longs,
              endRight - firstRight,
              left.address() + firstLeft * longs * Long.BYTES,
              endLeft - firstLeft,
              counts);
      for (int x = 0; x < Math.min(COUNTS, byCommonOnes.length); x++) {
        byCommonOnes[x] += MEMORY.get(JAVA_LONG, counts + (long) x * Long.BYTES);
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
