package io.fieldstone.relays;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.fieldstone.engine.stars.StarBatch;
import io.fieldstone.engine.stars.StarBatch.PairBits;
import io.fieldstone.engine.stars.StarField;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Writes a {@link StarFile}. For one thread. */
final class StarFileWriter {

  private static final int BUFFER = 1 << 20;

  private final Output output;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C check = new CRC32C();
  private final StarField.Cells cells;
  private final int[] cellOfPoints;
  private long stars;

  /** Receives the bytes of the file. */
  @FunctionalInterface
  interface Output {
    void append(ByteBuffer[] bytes) throws IOException;
  }

  /**
   * Creates a writer and writes the header.
   *
   * @param scale the scale of the field; the header has the lengths before scaling
   */
  StarFileWriter(Output output, StarField field, int[] order, DecimalScale scale)
      throws IOException {
    this.output = output;
    this.cells = field.cells();
    this.cellOfPoints = new int[field.points()];
    for (int cell = 0; cell < cells.count(); cell++) {
      Arrays.fill(cellOfPoints, cells.start(cell), cells.start(cell + 1), cell);
    }
    header(field, order, scale);
  }

  private void header(StarField field, int[] order, DecimalScale scale) throws IOException {
    room(StarFile.HEADER_BYTES);
    buffer.putLong(StarFile.MAGIC);
    buffer.putDouble(scale.unscaled(field.range()));
    buffer.putDouble(scale.unscaled(cells.grid().side()));
    buffer.putInt(StarFile.number(field.rule()));
    buffer.putInt(cells.count());
    buffer.putInt(field.points());
    for (int cell = 0; cell < cells.count(); cell++) {
      room(StarFile.CELL_BYTES);
      buffer.putInt(cells.row(cell));
      buffer.putInt(cells.column(cell));
      buffer.putInt(cells.start(cell + 1) - cells.start(cell));
    }
    for (int sensor : order) {
      room(Integer.BYTES);
      buffer.putInt(sensor);
    }
  }

  void write(StarBatch batch) throws IOException {
    switch (batch) {
      case PairBits bits -> write(bits);
      case StarBatch.Triples triples -> writeEach(triples);
      case StarBatch.LocalIds locals -> writeEach(locals);
    }
  }

  private void write(PairBits batch) throws IOException {
    long list = 0;
    long word = 0;
    int[] candidates = new int[0];
    int[] words = new int[0];
    for (int index = 0; index < batch.points(); index++) {
      int count = batch.candidates(index);
      int wordCount = Math.toIntExact(PairBits.words(count));
      candidates = copy(batch.candidates(), list, candidates, count);
      words = copy(batch.bits(), word, words, wordCount);
      write(batch.first() + index, candidates, count, words, wordCount);
      list += count;
      word += wordCount;
    }
  }

  private static int[] copy(MemorySegment ints, long from, int[] into, int count) {
    int[] copy = into.length < count ? new int[2 * count] : into;
    MemorySegment.copy(ints, JAVA_INT_UNALIGNED, from * Integer.BYTES, copy, 0, count);
    return copy;
  }

  /** Writes a point with stars: itself, its candidates, and the bits of their pairs. */
  private void write(int lowest, int[] candidates, int count, int[] words, int wordCount)
      throws IOException {
    long found = 0;
    for (int i = 0; i < wordCount; i++) {
      found += Integer.bitCount(words[i]);
    }
    if (found == 0) {
      return;
    }
    stars += found;
    room(Integer.BYTES + Short.BYTES + Byte.BYTES);
    int cell = cellOfPoints[lowest];
    int local = lowest - cells.start(cell);
    buffer.putInt(cell);
    buffer.putShort((short) (local / StarFile.SEGMENT_POINTS));
    buffer.put((byte) (local % StarFile.SEGMENT_POINTS));
    writeCandidates(candidates, count);
    writeBits(count, words);
  }

  /** Writes runs of candidates with the same cell and segment, ended by an empty run. */
  private void writeCandidates(int[] candidates, int count) throws IOException {
    int at = 0;
    while (at < count) {
      int cell = cellOfPoints[candidates[at]];
      int segment = (candidates[at] - cells.start(cell)) / StarFile.SEGMENT_POINTS;
      int start = cells.start(cell) + segment * StarFile.SEGMENT_POINTS;
      int limit = Math.min(cells.start(cell + 1), start + StarFile.SEGMENT_POINTS);
      int end = at;
      while (end < count && candidates[end] < limit) {
        end++;
      }
      room(StarFile.RUN_BYTES + StarFile.SEGMENT_POINTS);
      buffer.putShort((short) (end - at));
      buffer.putInt(cell);
      buffer.putShort((short) segment);
      for (int i = at; i < end; i++) {
        buffer.put((byte) (candidates[i] - start));
      }
      at = end;
    }
    room(Short.BYTES);
    buffer.putShort((short) 0);
  }

  /** Writes rows of bits, each in whole bytes. */
  private void writeBits(int count, int[] words) throws IOException {
    int word = 0;
    for (int b = 1; b < count; b++) {
      for (int left = b; left > 0; left -= Integer.SIZE) {
        room(Integer.BYTES);
        int bytes = Math.min(Integer.BYTES, (left + Byte.SIZE - 1) / Byte.SIZE);
        for (int i = 0; i < bytes; i++) {
          buffer.put((byte) (words[word] >>> i * Byte.SIZE));
        }
        word++;
      }
    }
  }

  /** Writes each star separately, because a search by cells does not group stars by point. */
  private void writeEach(StarBatch batch) throws IOException {
    int[] candidates = new int[2];
    int[] bit = {1};
    try {
      batch.forEach((lowest, second, third) -> {
        candidates[0] = second;
        candidates[1] = third;
        try {
          write(lowest, candidates, 2, bit, 1);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Writes the end of the file; returns the number of stars. */
  long finish() throws IOException {
    room(Integer.BYTES + Long.BYTES);
    buffer.putInt(StarFile.END);
    buffer.putLong(stars);
    flush();
    buffer.putInt((int) check.getValue());
    flush();
    return stars;
  }

  private void room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush();
    }
  }

  private void flush() throws IOException {
    buffer.flip();
    check.update(buffer.duplicate());
    output.append(new ByteBuffer[] {buffer});
    buffer.clear();
  }
}
