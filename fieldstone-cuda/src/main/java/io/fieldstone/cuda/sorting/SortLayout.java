package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.sorting.delta.DeltaKernel.KeyCode;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;

/**
 * What is moved when records are sorted, as sort.cu has it: items of one to four words of 32 bits.
 * A record that is such an item is sorted as it is, of any other the key with the record's index.
 *
 * @param format of the records
 * @param words of an item, first those of the key
 * @param indexWords of them, the last ones, that are the record's index; 0 if the item is the
 *     record
 */
public record SortLayout(RecordFormat format, int words, int indexWords) {

  private static final int WORD = Integer.BYTES;

  /** Threads of a block of {@code sort_pass}. */
  static final int PASS_THREADS = 384;

  /** Items of each thread, by the words of an item, where keys have one. */
  private static final int[] SHORT_KEYS = {0, 28, 15, 10};

  /** Likewise, where keys have two. */
  private static final int[] LONG_KEYS = {0, 0, 13, 9, 7};

  /** Longer payloads are fetched at the end. */
  private static final int MAX_PAYLOAD = 2 * WORD;

  /** Records, in their order. */
  public static SortLayout ofRecords(RecordFormat format, long count) {
    int payload = format.payloadBytes();
    return payload % WORD == 0 && payload <= MAX_PAYLOAD
        ? new SortLayout(format, format.bytes() / WORD, 0)
        : ofIndices(format, count);
  }

  /** The order of records. */
  static SortLayout ofIndices(RecordFormat format, long count) {
    int indexWords = count <= 1L << Integer.SIZE ? 1 : 2;
    return new SortLayout(format, format.key().bytes() / WORD + indexWords, indexWords);
  }

  /** Whether items are records. */
  boolean isWhole() {
    return indexWords == 0;
  }

  /** Whether items are keys and nothing else. */
  boolean isKeys() {
    return words == keyWords();
  }

  int keyWords() {
    return format.key().bytes() / WORD;
  }

  /** Digits of a key. */
  int digits() {
    return format.key().bytes();
  }

  int itemBytes() {
    return words * WORD;
  }

  /** What addresses of items are multiples of: kernels move items of 8 and 16 bytes at once. */
  int alignment() {
    return Integer.bitCount(words) == 1 ? itemBytes() : WORD;
  }

  /** Items that a block of {@code sort_pass} moves. */
  int tile() {
    return PASS_THREADS * (keyWords() == 1 ? SHORT_KEYS : LONG_KEYS)[words];
  }

  boolean isFloating() {
    return format.key().isFloating();
  }

  /** The bit that makes signed integers unsigned ones of the same order, or 0. */
  long sign() {
    KeyType key = format.key();
    return key == KeyType.U32 || key == KeyType.U64 ? 0 : 1L << (key.bytes() * Byte.SIZE - 1);
  }

  /** What an XOR with makes ranks of the other direction, or 0. */
  long direction() {
    return format.direction() == Direction.ASCENDING ? 0 : format.maxBitOrdered();
  }

  /** How keys are made of ranks. */
  public KeyCode keyCode() {
    return new KeyCode(direction(), isFloating() ? -1 : 0, sign());
  }

  /** What an XOR with makes ranks of integers, and of what floating-point numbers are first. */
  long flip() {
    return isFloating() ? direction() : direction() ^ sign();
  }
}
