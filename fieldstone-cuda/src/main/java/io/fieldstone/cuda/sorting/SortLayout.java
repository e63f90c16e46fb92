package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.sorting.delta.DeltaKernel.KeyCode;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;

/**
 * The layout of the items that sort.cu moves: one to four words of 32 bits. Records of such a size
 * are items themselves; otherwise an item is the key and the index of a record.
 *
 * @param format the format of the records
 * @param words the words of an item; those of the key come first
 * @param indexWords the words of the index, which end the item; 0 if the item is the record
 */
public record SortLayout(RecordFormat format, int words, int indexWords) {

  private static final int WORD = Integer.BYTES;

  /** The maximum payload that moves with its key; longer ones are gathered after the sort. */
  private static final int MAX_PAYLOAD_BYTES = 2 * WORD;

  /** Returns the layout for sorting records. */
  public static SortLayout ofRecords(RecordFormat format, long count) {
    int payload = format.payloadBytes();
    return payload % WORD == 0 && payload <= MAX_PAYLOAD_BYTES
        ? new SortLayout(format, format.bytes() / WORD, 0)
        : ofIndices(format, count);
  }

  /** Returns the layout for finding the order of records. */
  static SortLayout ofIndices(RecordFormat format, long count) {
    int indexWords = count <= 1L << Integer.SIZE ? 1 : 2;
    return new SortLayout(format, format.key().bytes() / WORD + indexWords, indexWords);
  }

  /** Returns true if an item is a whole record. */
  boolean isWholeRecord() {
    return indexWords == 0;
  }

  /** Returns true if an item is a key without payload or index. */
  boolean isKeyOnly() {
    return words == keyWords();
  }

  /** Returns the words of a key. */
  public int keyWords() {
    return format.key().bytes() / WORD;
  }

  /** Returns the number of digits of a key. */
  public int digits() {
    return format.key().bytes();
  }

  /** Returns the bytes of an item. */
  public int itemBytes() {
    return words * WORD;
  }

  /** Returns the alignment of items: kernels move items of 8 and 16 bytes by one instruction. */
  int alignment() {
    return Integer.bitCount(words) == 1 ? itemBytes() : WORD;
  }

  /** Returns true if keys are floating-point numbers. */
  public boolean isFloating() {
    return format.key().isFloating();
  }

  /** Returns the sign bit, which an XOR flips to order signed keys as unsigned ones, or 0. */
  long sign() {
    KeyType key = format.key();
    return key == KeyType.U32 || key == KeyType.U64 ? 0 : 1L << (key.bytes() * Byte.SIZE - 1);
  }

  /** Returns the mask that an XOR reverses the order with, or 0 if it is ascending. */
  long direction() {
    return format.direction() == Direction.ASCENDING ? 0 : format.maxBitOrdered();
  }

  /** Returns the code that restores keys from bit-ordered keys. */
  public KeyCode keyCode() {
    return new KeyCode(direction(), isFloating() ? -1 : 0, sign());
  }

  /** Returns the mask that is XORed to keys, or to bit-ordered floating-point keys. */
  public long flip() {
    return isFloating() ? direction() : direction() ^ sign();
  }
}
