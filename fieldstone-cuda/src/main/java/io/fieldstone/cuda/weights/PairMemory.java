package io.fieldstone.cuda.weights;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.transfer.CudaResidentBytes;
import io.fieldstone.engine.weights.WordGroups;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/** The device memory of a pair counting: words, their weights, counts and bins. */
final class PairMemory implements AutoCloseable {

  /** Words past the last right one that kernels read and ignore. */
  static final int PADDING_WORDS = 64;

  private final WordGroups left;
  private final WordGroups right;
  private final ScratchLayout layout = new ScratchLayout();
  private final long leftWords;
  private final long rightWords;
  private final long leftWeights;
  private final long rightWeights;
  private final long counts;
  private final long bins;
  private final CudaResidentBytes bytes;

  private PairMemory(Gpu gpu, WordGroups left, WordGroups right, boolean hasBins) {
    this.left = left;
    this.right = right;
    this.leftWords = layout.device(wordBytes(left));
    boolean isShared = left.words().equals(right.words());
    this.rightWords = isShared ? leftWords : layout.device(wordBytes(right));
    layout.device((long) PADDING_WORDS * right.words().bytes());
    this.leftWeights = layout.device(weightBytes(left));
    this.rightWeights = layout.device(weightBytes(right));
    this.counts = layout.device(countBytes());
    this.bins = layout.device(hasBins ? binBytes() : 0);
    this.bytes = CudaResidentBytes.allocate(gpu, layout.deviceBytes());
  }

  /**
   * Uploads words to a GPU.
   *
   * @param hasBins whether to allocate bins
   */
  static PairMemory load(Gpu gpu, WordGroups left, WordGroups right, boolean hasBins) {
    PairMemory memory =
        gpu.call(
            () -> "load %d and %d words".formatted(left.words().count(), right.words().count()),
            () -> new PairMemory(gpu, left, right, hasBins));
    try {
      memory.store();
      return memory;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private void store() {
    bytes.store(leftWords, left.words().data().asSlice(0, wordBytes(left)));
    if (rightWords != leftWords) {
      bytes.store(rightWords, right.words().data().asSlice(0, wordBytes(right)));
    }
    bytes.store(leftWeights, weights(left));
    bytes.store(rightWeights, weights(right));
  }

  private static MemorySegment weights(WordGroups words) {
    int[] weights = words.groups().stream().mapToInt(WordGroups.Group::weight).toArray();
    return MemorySegment.ofArray(weights);
  }

  private static long wordBytes(WordGroups words) {
    return words.words().count() * words.words().bytes();
  }

  private static long weightBytes(WordGroups words) {
    return words.groups().size() * JAVA_INT.byteSize();
  }

  /** Returns the size of the counts of all groups. */
  long countBytes() {
    long groups = Math.multiplyExact(left.groups().size(), right.groups().size());
    return Math.multiplyExact(groups, (length() + 1L) * Long.BYTES);
  }

  /** Returns the size of a bin for each (x, y, z), for any weights of the words. */
  private long binBytes() {
    long side = length() + 1L;
    return side * side * side * Long.BYTES;
  }

  WordGroups left() {
    return left;
  }

  WordGroups right() {
    return right;
  }

  /** Returns the length of the words in bits. */
  int length() {
    return left.words().length();
  }

  /** Returns the number of 32-bit words of each word. */
  int wordInts() {
    return left.words().bytes() / Integer.BYTES;
  }

  /** Runs a task with the address of the memory, which is not freed meanwhile. */
  void useAddress(LongConsumer work) {
    bytes.useAddress(work);
  }

  /** Returns the address of a left word, given the address of the memory. */
  long left(long base, long word) {
    return base + leftWords + word * left.words().bytes();
  }

  long right(long base, long word) {
    return base + rightWords + word * right.words().bytes();
  }

  long leftWeights(long base) {
    return base + leftWeights;
  }

  long rightWeights(long base) {
    return base + rightWeights;
  }

  long counts(long base) {
    return base + counts;
  }

  long bins(long base) {
    return base + bins;
  }

  /** Frees the memory. Idempotent, and allowed after the engine is closed. */
  @Override
  public void close() {
    bytes.close();
  }
}
