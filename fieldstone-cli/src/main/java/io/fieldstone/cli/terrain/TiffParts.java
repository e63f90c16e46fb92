package io.fieldstone.cli.terrain;

import io.fieldstone.relays.terrain.MalformedTerrainException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import mil.nga.tiff.FileDirectory;

/**
 * Checks what the library for TIFF takes on trust: directories in a circle, sizes of strips and
 * tiles, and truncated Deflate data, each of which it would read without an end.
 */
final class TiffParts {

  private static final int FIRST_DIRECTORY = 4;
  private static final int ENTRY_BYTES = 12;
  private static final int DEFLATE = 8;
  private static final int OLD_DEFLATE = 32946;
  private static final int MAX_SIDE = 1 << 16;
  private static final int MAX_PART = 1 << 28;
  private static final long BYTES_OF_SAMPLE = 8;

  private TiffParts() {}

  /**
   * Returns a file without the directories after the first one, which are of overviews.
   *
   * @throws IllegalArgumentException if there is no first directory
   */
  static byte[] firstOnly(byte[] file) {
    byte[] bytes = file.clone();
    ByteBuffer buffer =
        ByteBuffer.wrap(bytes)
            .order(
                bytes.length > 0 && bytes[0] == 'I'
                    ? ByteOrder.LITTLE_ENDIAN
                    : ByteOrder.BIG_ENDIAN);
    try {
      long at = Integer.toUnsignedLong(buffer.getInt(FIRST_DIRECTORY));
      if (at > bytes.length - 2) {
        throw new IllegalArgumentException("no directory at " + at);
      }
      int entries = Short.toUnsignedInt(buffer.getShort((int) at));
      for (int entry = 0; entry < entries; entry++) {
        long count = Integer.toUnsignedLong(buffer.getInt((int) at + 2 + entry * ENTRY_BYTES + 4));
        if (count > bytes.length) {
          throw new IllegalArgumentException("an entry of %d values".formatted(count));
        }
      }
      buffer.putInt((int) at + 2 + entries * ENTRY_BYTES, 0);
    } catch (IndexOutOfBoundsException | BufferUnderflowException e) {
      throw new IllegalArgumentException("a truncated directory", e);
    }
    return bytes;
  }

  /**
   * Checks the strips or tiles of an image.
   *
   * @throws MalformedTerrainException if one is not complete
   */
  static void requireWhole(FileDirectory directory, byte[] bytes, String name)
      throws MalformedTerrainException {
    try {
      boolean isTiled = directory.isTiled();
      long width = (isTiled ? directory.getTileWidth() : directory.getImageWidth()).longValue();
      Number stripRows = directory.getRowsPerStrip();
      Number height = directory.getImageHeight();
      long rows =
          isTiled
              ? directory.getTileHeight().longValue()
              : Math.min(
                  stripRows == null ? height.longValue() : stripRows.longValue(),
                  height.longValue());
      require(
          width > 0
              && width <= MAX_SIDE
              && rows > 0
              && rows <= MAX_SIDE
              && width * rows <= MAX_PART,
          "parts of %d×%d points".formatted(rows, width),
          name);
      List<? extends Number> offsets =
          isTiled ? directory.getTileOffsets() : directory.getStripOffsets();
      List<? extends Number> counts =
          isTiled ? directory.getTileByteCounts() : directory.getStripByteCounts();
      long across = Math.ceilDiv(directory.getImageWidth().longValue(), width);
      long parts = across * Math.ceilDiv(height.longValue(), rows);
      require(
          offsets.size() >= parts && counts.size() >= parts,
          "%d of %d parts".formatted(Math.min(offsets.size(), counts.size()), parts),
          name);
      Integer compression = directory.getCompression();
      boolean isDeflated =
          compression != null && (compression == DEFLATE || compression == OLD_DEFLATE);
      for (int part = 0; part < parts; part++) {
        long offset = offsets.get(part).longValue();
        long count = counts.get(part).longValue();
        require(
            offset >= 0 && count >= 0 && offset <= bytes.length - count,
            "part %d ends after the file".formatted(part),
            name);
        if (isDeflated) {
          requireEnd(bytes, (int) offset, (int) count, width * rows * BYTES_OF_SAMPLE, part, name);
        }
      }
    } catch (RuntimeException e) {
      throw new MalformedTerrainException("damaged strips or tiles", name);
    }
  }

  /** Checks that the data of a part have an end, before too many bytes. */
  private static void requireEnd(
      byte[] bytes, int offset, int count, long maxBytes, int part, String name)
      throws MalformedTerrainException {
    byte[] buffer = new byte[1 << 13];
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(bytes, offset, count);
      long total = 0;
      while (!inflater.finished()) {
        int inflated = inflater.inflate(buffer);
        total += inflated;
        require(inflated > 0 || inflater.finished(), "part %d is truncated".formatted(part), name);
        require(total <= maxBytes, "part %d is too long".formatted(part), name);
      }
    } catch (DataFormatException e) {
      throw new MalformedTerrainException("part %d is damaged".formatted(part), name);
    }
  }

  private static void require(boolean isRight, String problem, String name)
      throws MalformedTerrainException {
    if (!isRight) {
      throw new MalformedTerrainException(problem, name);
    }
  }
}
