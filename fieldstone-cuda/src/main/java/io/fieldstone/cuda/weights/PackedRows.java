package io.fieldstone.cuda.weights;

import io.fieldstone.engine.weights.LabelledWords;

/**
 * Rows as kernels take them: of each row the 32-bit words of its bits, then of its label.
 *
 * @param data all rows
 * @param count of the rows
 * @param words of the bits of a row
 * @param rowWords of a row and its label
 */
@SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads it.
record PackedRows(int[] data, int count, int words, int rowWords) {

  /** Standard deviations that separate light sums from those of random words. */
  private static final double DEVIATIONS = 4.5;

  static PackedRows of(LabelledWords rows) {
    int words = Math.ceilDiv(rows.length(), Integer.SIZE);
    int rowWords = words + Math.ceilDiv(rows.labelBits(), Integer.SIZE);
    int[] data = new int[rows.count() * rowWords];
    long[][] parts = rows.parts();
    for (int row = 0; row < rows.count(); row++) {
      for (int word = 0; word < rowWords; word++) {
        boolean isLabel = word >= words;
        int part = isLabel ? rows.wordLongs() + (word - words) / 2 : word / 2;
        int half = (isLabel ? word - words : word) % 2;
        data[row * rowWords + word] = (int) (parts[part][row] >>> half * Integer.SIZE);
      }
    }
    return new PackedRows(data, rows.count(), words, rowWords);
  }

  long bytes() {
    return (long) data.length * Integer.BYTES;
  }

  /** Returns the words whose ones already exceed a weight in nearly all sums of random words. */
  int deciding(int maxWeight) {
    int few = 1;
    while (few < words
        && few * Integer.SIZE / 2.0 - DEVIATIONS * Math.sqrt(few * Integer.SIZE / 4.0)
            < maxWeight) {
      few++;
    }
    return few;
  }
}
