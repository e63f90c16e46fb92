package io.fieldstone.cuda.checksums;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.TableCache;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;

/**
 * The tables of a divisor for {@code checksum_strips_W} and {@code checksum_rows_W}: matrices of
 * powers of x as operands of tensor instructions, and linear maps that multiply by powers of x.
 * They are stored contiguously in device memory in the order of {@link Part}.
 *
 * @param address the device address of the first table
 * @param tiles the 8-bit tiles of a remainder: 4 or 8
 */
record FoldingTables(long address, int tiles) {

  /** The part of a message with its own sum: 32 steps of 1024 bytes. */
  static final int STRIP_BYTES = 32 << 10;

  private static final int STEP_BYTES = 1024;
  private static final int HALF_BYTES = 512;
  private static final int STEPS = STRIP_BYTES / STEP_BYTES;

  /** The block of a message in the rows kernel. */
  static final int BLOCK_BYTES = 64;

  /** The maximum blocks that the operands of rows cover, limited by shared memory. */
  static final int SEGMENT = 32;

  /** The doublings of a distance in strips, and of one in bytes below a vector. */
  private static final int STRIP_MAPS = 16;

  private static final int BACK_MAPS = 4;

  private static final int WARP = 32;
  private static final int LANES_OF_ROW = 4;
  private static final int VECTOR_BYTES = 16;
  private static final int WORD_BYTES = 4;
  private static final int TILE_BITS = 8;

  /** The columns of a map, the images of x^i. */
  private static final int COLUMNS = Long.SIZE;

  /** The maximum degree of four tiles. */
  private static final int NARROW = 32;

  static final int NARROW_TILES = 4;
  private static final int WIDE_TILES = 8;

  /** The tables in their order in memory. */
  enum Part {
    /** Operands of the steps of a strip. */
    STRIP_OPERANDS,
    /** Operands of the blocks of a segment. */
    ROW_OPERANDS,
    /** The weights of the sums of a strip: two columns per lane. */
    WEIGHTS,
    /** Products by x^(8·strip·2^i). */
    STRIPS,
    /** Products by x^(−8·2^i). */
    STRIPS_BACK,
    /** Products by x^(32 − 8·i). */
    ROWS_BACK,
    /** Products by x^(8·64·i), of which the kernel uses that of its segment. */
    SEGMENTS;

    private long bytes(int tiles) {
      return switch (this) {
        case STRIP_OPERANDS -> STEPS * operandBytes(tiles);
        case ROW_OPERANDS -> SEGMENT * operandBytes(tiles);
        case WEIGHTS -> 2L * tiles * 2 * WARP * 2 * Long.BYTES;
        case STRIPS -> STRIP_MAPS * MAP_BYTES;
        case STRIPS_BACK -> BACK_MAPS * MAP_BYTES;
        case ROWS_BACK -> (BLOCK_BYTES + WORD_BYTES) * MAP_BYTES;
        case SEGMENTS -> (SEGMENT + 1) * MAP_BYTES;
      };
    }
  }

  private static final long MAP_BYTES = (long) COLUMNS * Long.BYTES;

  /** Returns the size of the operands of one step. */
  static long operandBytes(int tiles) {
    return (long) tiles / 2 * WARP * VECTOR_BYTES;
  }

  /** Returns the tiles of remainders of a divisor. */
  static int tiles(Divisor divisor) {
    return divisor.degree() <= NARROW ? NARROW_TILES : WIDE_TILES;
  }

  /** Returns the device address of a table. */
  long address(Part part) {
    return address + offset(part, tiles);
  }

  /** Returns the device address of the product by x^(8·64·segment). */
  long segmentMap(int segment) {
    return address(Part.SEGMENTS) + segment * MAP_BYTES;
  }

  private static long offset(Part part, int tiles) {
    long offset = 0;
    for (Part each : Part.values()) {
      if (each == part) {
        return offset;
      }
      offset += each.bytes(tiles);
    }
    throw new AssertionError(part);
  }

  /** Returns the computation of the tables of a divisor. */
  static TableCache.Maker<Divisor> maker() {
    return new TableCache.Maker<>() {
      @Override
      public long bytes(Divisor divisor) {
        int tiles = tiles(divisor);
        return offset(Part.SEGMENTS, tiles) + Part.SEGMENTS.bytes(tiles);
      }

      @Override
      public void write(Divisor divisor, MemorySegment tables) {
        new Writer(divisor, tables).writeAll();
      }
    };
  }

  /** Writes the tables of a divisor. */
  private static final class Writer {
    private final Divisor divisor;
    private final Gf2Modulus modulus;
    private final int tiles;
    private final MemorySegment tables;
    private final long[] powers = new long[Byte.SIZE * (STRIP_BYTES + VECTOR_BYTES)];
    private long at;

    Writer(Divisor divisor, MemorySegment tables) {
      this.divisor = divisor;
      this.modulus = divisor.modulus();
      this.tiles = tiles(divisor);
      this.tables = tables;
      powers[0] = modulus.xToThe(0);
      for (int i = 1; i < powers.length; i++) {
        powers[i] = modulus.timesX(powers[i - 1]);
      }
    }

    void writeAll() {
      for (int step = STEPS - 1; step >= 0; step--) {
        writeOperands(step * STEP_BYTES);
      }
      for (int block = 0; block < SEGMENT; block++) {
        writeOperands(block * BLOCK_BYTES);
      }
      writeWeights();
      for (int i = 0; i < STRIP_MAPS; i++) {
        writeMap(modulus.xToThe((long) Byte.SIZE * STRIP_BYTES << i));
      }
      for (int i = 0; i < BACK_MAPS; i++) {
        writeMap(inversePower((long) Byte.SIZE << i));
      }
      for (int i = 0; i < BLOCK_BYTES + WORD_BYTES; i++) {
        int bytes = WORD_BYTES - i;
        writeMap(
            bytes >= 0
                ? modulus.xToThe((long) Byte.SIZE * bytes)
                : inversePower((long) Byte.SIZE * -bytes));
      }
      for (int blocks = 0; blocks <= SEGMENT; blocks++) {
        writeMap(modulus.xToThe((long) Byte.SIZE * BLOCK_BYTES * blocks));
      }
    }

    private long inversePower(long exponent) {
      return modulus.power(modulus.inverseOfX(), exponent);
    }

    /**
     * Writes the operands of a step that {@code after} bytes follow: two tiles per vector of a
     * lane.
     */
    private void writeOperands(int after) {
      for (int pair = 0; pair < tiles / 2; pair++) {
        for (int lane = 0; lane < WARP; lane++) {
          for (int tile = 2 * pair; tile < 2 * pair + 2; tile++) {
            for (int word = 0; word < 2; word++) {
              int bytes =
                  after
                      + (LANES_OF_ROW - 1 - lane % LANES_OF_ROW) * VECTOR_BYTES
                      + (1 - word) * 2 * WORD_BYTES;
              writeInt(operand(bytes, TILE_BITS * tile + lane / LANES_OF_ROW));
            }
          }
        }
      }
    }

    /** Returns, for each bit of a loaded word, whether its power of x has a bit set. */
    private int operand(int bytesAfter, int bitOfPower) {
      int word = 0;
      for (int i = 0; i < Integer.SIZE; i++) {
        int bytes = bytesAfter + WORD_BYTES - 1 - i / Byte.SIZE;
        int bit = divisor.lowBitFirst() ? Byte.SIZE - 1 - i % Byte.SIZE : i % Byte.SIZE;
        long power = powers[Byte.SIZE * bytes + bit + modulus.degree()];
        word |= (int) (power >>> bitOfPower & 1) << i;
      }
      return word;
    }

    private void writeWeights() {
      for (int half = 0; half < 2; half++) {
        for (int tile = 0; tile < tiles; tile++) {
          for (int word = 0; word < 2; word++) {
            for (int lane = 0; lane < WARP; lane++) {
              int bytes =
                  (1 - half) * HALF_BYTES
                      + (TILE_BITS - 1 - lane / LANES_OF_ROW) * BLOCK_BYTES
                      + (1 - word) * WORD_BYTES;
              int bit = TILE_BITS * tile + 2 * (lane % LANES_OF_ROW);
              writeLong(powers[Byte.SIZE * bytes + bit]);
              writeLong(powers[Byte.SIZE * bytes + bit + 1]);
            }
          }
        }
      }
    }

    private void writeMap(long factor) {
      long column = factor;
      for (int i = 0; i < COLUMNS; i++) {
        writeLong(i < modulus.degree() ? column : 0);
        column = modulus.timesX(column);
      }
    }

    private void writeInt(int value) {
      tables.set(JAVA_INT, at, value);
      at += Integer.BYTES;
    }

    private void writeLong(long value) {
      tables.set(JAVA_LONG, at, value);
      at += Long.BYTES;
    }
  }
}
