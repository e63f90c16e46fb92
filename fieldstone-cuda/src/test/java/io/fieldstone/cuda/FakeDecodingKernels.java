package io.fieldstone.cuda;

import static io.fieldstone.cuda.CudaStructs.bytes;
import static io.fieldstone.cuda.FakeKernels.multiply;
import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.ALL;
import static io.fieldstone.cuda.GpuMemory.get;
import static io.fieldstone.cuda.GpuMemory.setByte;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;

/**
 * Java versions of the substitution and elimination kernels, as in {@link FakeKernels}. They check
 * the launch shapes of the kernels' contracts.
 */
public final class FakeDecodingKernels {

  private static final int VECTOR = 16;
  private static final int WORD_BITS = 32;

  private static final int STATUS_BYTES = bytes("ProgressiveStatus");

  private FakeDecodingKernels() {}

  static FakeDriver register(FakeDriver driver) {
    return driver
        .kernel(
            "substitution_frame", bytes("SubstitutionFrameArguments"), FakeDecodingKernels::frame)
        .kernel(
            "progressive_add",
            bytes("ProgressiveAddArguments"),
            (shape, struct) -> Arrival.of(struct).add(shape));
  }

  /** {@code struct SubstitutionFrameArguments}. */
  public record Frame(
      long tables,
      Gf256 field,
      int s,
      long k,
      long coefficients,
      long received,
      long solved,
      long stride,
      long partials,
      int vectors) {

    /** Reads the struct. */
    public static Frame of(MemorySegment memory) {
      Struct struct = new Struct(memory, "SubstitutionFrameArguments");
      return new Frame(
          struct.int64("tables"),
          Gf256.of(struct.int32("polynomial")),
          struct.int32("frame"),
          struct.int64("k"),
          struct.int64("coefficients"),
          struct.int64("received"),
          struct.int64("solved"),
          struct.int64("stride"),
          struct.int64("partials"),
          struct.int32("vectors"));
    }

    /** Multiplies a byte of a solved frame by its coefficient. */
    public int product(int row, long column) {
      return multiply(tables, get(coefficients + row), get(solved + row * stride + column));
    }

    /** Writes a byte of the frame from the sum of its products. */
    public void finish(long column, int sum) {
      int rest = get(received + column) ^ sum;
      int diagonal = get(coefficients + s);
      // Zero if the caller has changed checked memory: the table of inverses has 0 for 0.
      setByte(solved + s * stride + column, diagonal == 0 ? 0 : field.divide(rest, diagonal));
    }

    /** Solves the frame. */
    public void solve() {
      for (long column = 0; column < k; column++) {
        int sum = 0;
        for (int row = 0; row < s; row++) {
          sum ^= product(row, column);
        }
        finish(column, sum);
      }
    }
  }

  private static void frame(LaunchShape shape, MemorySegment struct) {
    Frame frame = Frame.of(struct);
    require(shape.blockX() == 256 || shape.blockX() == 512, "the block");
    require(Integer.bitCount(frame.vectors) == 1 && frame.vectors <= 32, "the vectors");
    long vectors = Math.ceilDiv(frame.k, VECTOR);
    require(shape.gridX() == Math.ceilDiv(vectors, frame.vectors), "the grid");
    require((frame.solved | frame.stride) % VECTOR == 0, "fast rows");
    frame.solve();
  }

  /** {@code struct ProgressiveAddArguments}, and Gauss–Jordan elimination with them. */
  private record Arrival(
      long tables,
      int polynomial,
      int n,
      long k,
      long arrival,
      long vector,
      long payload,
      long coefficients,
      long payloads,
      long state,
      long status,
      int hint,
      int vectors,
      int slices) {

    static Arrival of(MemorySegment memory) {
      Struct struct = new Struct(memory, "ProgressiveAddArguments");
      return new Arrival(
          struct.int64("tables"),
          struct.int32("polynomial"),
          struct.int32("n"),
          struct.int64("k"),
          struct.int64("arrival"),
          struct.int64("vector"),
          struct.int64("payload"),
          struct.int64("coefficients"),
          struct.int64("payloads"),
          struct.int64("state"),
          struct.int64("status"),
          struct.int32("hint"),
          struct.int32("vectors"),
          struct.int32("coefficient_slices"));
    }

    void add(LaunchShape shape) {
      requireContract(shape);
      byte[] row = reduced();
      int pivot = pivot(row);
      if (pivot >= 0) {
        scale(row, Gf256.of(polynomial).inverse(row[pivot] & 0xFF));
      }
      int rank = 0;
      int solved = 0;
      for (int word = 0; word < words(); word++) {
        int pivots = held(arrival % 2, word);
        pivots |= pivot >= 0 && pivot / WORD_BITS == word ? 1 << pivot % WORD_BITS : 0;
        int units = 0;
        for (int bit = 0; bit < WORD_BITS; bit++) {
          if ((pivots >>> bit & 1) != 0) {
            units |= eliminate(word * WORD_BITS + bit, row, pivot) ? 1 << bit : 0;
          }
        }
        ALL.set(JAVA_INT, state + 4 * ((arrival + 1) % 2 * words() + word), pivots);
        ALL.set(JAVA_INT, status + STATUS_BYTES + 4L * word, pivots);
        ALL.set(JAVA_INT, status + STATUS_BYTES + 4L * (words() + word), units);
        rank += Integer.bitCount(pivots);
        solved += Integer.bitCount(units);
      }
      Struct written = new Struct(ALL.asSlice(status, STATUS_BYTES), "ProgressiveStatus");
      written.set("innovative", pivot >= 0 ? 1 : 0);
      written.set("pivot", pivot);
      written.set("rank", rank);
      written.set("solved", solved);
      written.set("arrival", arrival);
    }

    private void requireContract(LaunchShape shape) {
      require(n <= 8192 && hint >= 0 && hint < n, "the hint");
      require(Integer.bitCount(vectors) == 1 && vectors >= 2 && vectors <= 32, "the vectors");
      require(slices == Math.ceilDiv(Math.ceilDiv(n, VECTOR), vectors - 1), "the slices of C");
      long others = shape.gridX() - slices;
      require(others <= Math.ceilDiv(Math.ceilDiv(k, VECTOR), vectors - 1), "the slices of x");
      require(k == 0 ? others == 0 : others > 0, "owners of payloads");
      require(shape.blockX() == 256 || shape.blockX() == 512, "the block");
      require(shape.sharedBytes() == 32 * Math.ceilDiv(n, VECTOR) + 4 * words(), "shared memory");
      require((coefficients | payloads) % VECTOR == 0, "aligned rows");
      require(state % 4 == 0 && status % 8 == 0, "aligned words");
      require(ALL.get(JAVA_INT, state + 8L * words()) == 0, "no ticket is drawn");
      require(arrival > 0 || held(0, 0) == 0, "a state that was cleared");
    }

    private int words() {
      return Math.ceilDiv(n, WORD_BITS);
    }

    private int held(long copy, int word) {
      return ALL.get(JAVA_INT, state + 4 * (copy * words() + word));
    }

    private boolean isHeld(int slot) {
      return (held(arrival % 2, slot / WORD_BITS) >>> slot % WORD_BITS & 1) != 0;
    }

    private long coefficientsAt(long copy, int slot) {
      return coefficients + (copy * n + slot) * VECTOR * Math.ceilDiv(n, VECTOR);
    }

    private long payloadAt(int slot) {
      return payloads + slot * VECTOR * Math.ceilDiv(k, VECTOR);
    }

    /** A stored row: [C | x]. */
    private byte[] row(int slot) {
      byte[] row = new byte[(int) (n + k)];
      for (int i = 0; i < n; i++) {
        row[i] = (byte) get(coefficientsAt(arrival % 2, slot) + i);
      }
      for (int i = 0; i < k; i++) {
        row[n + i] = (byte) get(payloadAt(slot) + i);
      }
      return row;
    }

    private byte[] reduced() {
      byte[] row = new byte[(int) (n + k)];
      for (int i = 0; i < n + k; i++) {
        row[i] = (byte) get(i < n ? vector + i : payload + i - n);
      }
      for (int slot = 0; slot < n; slot++) {
        if (isHeld(slot)) {
          add(row, get(vector + slot), row(slot));
        }
      }
      return row;
    }

    private int pivot(byte[] row) {
      int chunks = Math.ceilDiv(n, VECTOR);
      for (int i = 0; i < chunks; i++) {
        int first = (hint / VECTOR + i) % chunks * VECTOR;
        for (int column = first; column < Math.min(n, first + VECTOR); column++) {
          if (row[column] != 0) {
            return column;
          }
        }
      }
      return -1;
    }

    /** Writes a row without its entry in the pivot's column; returns whether it is a unit. */
    private boolean eliminate(int slot, byte[] reduced, int pivot) {
      byte[] row = slot == pivot ? reduced : row(slot);
      if (pivot >= 0 && slot != pivot) {
        add(row, row[pivot] & 0xFF, reduced);
      }
      int others = 0;
      for (int i = 0; i < n; i++) {
        setByte(coefficientsAt((arrival + 1) % 2, slot) + i, row[i]);
        others += row[i] != 0 && i != slot ? 1 : 0;
      }
      for (int i = 0; i < k; i++) {
        setByte(payloadAt(slot) + i, row[n + i]);
      }
      return others == 0;
    }

    private void add(byte[] to, int factor, byte[] from) {
      for (int i = 0; i < to.length; i++) {
        to[i] ^= (byte) multiply(tables, factor, from[i] & 0xFF);
      }
    }

    private void scale(byte[] row, int factor) {
      for (int i = 0; i < row.length; i++) {
        row[i] = (byte) multiply(tables, factor, row[i] & 0xFF);
      }
    }
  }
}
