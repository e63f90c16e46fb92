package io.fieldstone.cuda.stars;

import static io.fieldstone.cuda.GpuMemory.ALL;
import static io.fieldstone.cuda.GpuMemory.int32;
import static io.fieldstone.cuda.GpuMemory.int64;
import static io.fieldstone.cuda.GpuMemory.set;
import static io.fieldstone.cuda.KernelTwins.require;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.fieldstone.cuda.GpuMemory;
import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.engine.stars.StarBatch.PairBits;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.plane.Distance;
import io.fieldstone.plane.Triangle;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** What the kernels of stars.cu do, by the definitions of candidates and of stars. */
public final class StarTwins {

  private static final int THREADS = 256;
  private static final int CELL_BYTES = 20;
  private static final int PLACE_BYTES = 24;
  private static final int UNIT_ROWS = 64;
  private static final int DOUBT_BYTES = 20;
  private static final int SEGMENT_POINTS = 256;
  private static final int CHUNK_BYTES = 784;
  private static final int CHUNK_HEADER = 16;

  /** Of the pairs of real numbers, one of so many is left to the host. */
  private static final int SURE = 3;

  /** The two cells of each combination; of five, two are two columns apart. */
  private static final int[][] COMBINATIONS = {
    {0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 1}, {1, 3}, {1, 4}, {2, 2}, {2, 3}, {3, 3}, {3, 4},
    {4, 4}
  };

  private StarTwins() {}

  public static FakeDriver register(FakeDriver driver) {
    for (String numbers : new String[] {"64", "128", "real"}) {
      driver.kernel(
          "stars_pairs_circle_" + numbers,
          144,
          (shape, struct) -> pairs(shape, struct, StarRule.CIRCUMCIRCLE, numbers));
      driver.kernel(
          "stars_pairs_enclosing_" + numbers,
          144,
          (shape, struct) -> pairs(shape, struct, StarRule.ENCLOSING_CIRCLE, numbers));
    }
    return driver
        .kernel("stars_count", 64, StarTwins::count)
        .kernel("stars_list", 96, StarTwins::list)
        .kernel("stars_cells", 104, (shape, struct) -> new Cells(struct).search(shape, false))
        .kernel("stars_cells_local", 104, (shape, struct) -> new Cells(struct).search(shape, true));
  }

  private static double real(long address) {
    return ALL.get(JAVA_DOUBLE, address);
  }

  private record Field(long xs, long ys, long cells, double range, int cellCount) {

    static Field of(Struct struct) {
      long xs = struct.int64();
      long ys = struct.int64();
      long cells = struct.int64();
      double range = Double.longBitsToDouble(struct.int64());
      struct.int64();
      int cellCount = struct.int32();
      double scaled = Math.scalb(range, struct.int32());
      require(scaled >= 1 && scaled < 2, "the scale");
      return new Field(xs, ys, cells, range, cellCount);
    }

    double x(int point) {
      return real(xs + 8L * point);
    }

    double y(int point) {
      return real(ys + 8L * point);
    }

    List<Integer> candidates(int lowest) {
      long cell = cells;
      while (cell + CELL_BYTES < cells + (long) CELL_BYTES * cellCount
          && int32(cell + CELL_BYTES) <= lowest) {
        cell += CELL_BYTES;
      }
      List<Integer> candidates = new ArrayList<>();
      for (int run = 0; run < 2; run++) {
        for (int point = int32(cell + 4 + 8 * run); point < int32(cell + 8 + 8 * run); point++) {
          if (isCandidate(lowest, point)) {
            candidates.add(point);
          }
        }
      }
      return candidates;
    }

    private boolean isCandidate(int lowest, int point) {
      boolean higher = y(point) > y(lowest) || (y(point) == y(lowest) && x(point) > x(lowest));
      return higher
          && Distance.compare(x(point), y(point), x(lowest), y(lowest), range) > 0
          && Distance.compare(x(point), y(point), x(lowest), y(lowest), 2 * range) <= 0;
    }

    boolean isStar(StarRule rule, int p, int q, int r) {
      return rule.holds(new Triangle(x(p), y(p), x(q), y(q), x(r), y(r)), range);
    }
  }

  private static void count(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory);
    Field field = Field.of(struct);
    long counts = struct.int64();
    int first = struct.int32();
    int points = struct.int32();
    require(shape.blockX() == THREADS, "threads");
    for (int i = 0; i < points; i++) {
      set(counts + 4L * i, field.candidates(first + i).size());
    }
  }

  private static void list(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory);
    Field field = Field.of(struct);
    long places = struct.int64();
    long indices = struct.int64();
    long corners = struct.int64();
    long slopes = struct.int64();
    long units = struct.int64();
    int first = struct.int32();
    int points = struct.int32();
    require(shape.blockX() == THREADS && corners % 16 == 0, "threads, and corners of 16 bytes");
    for (int i = 0; i < points; i++) {
      long place = places + (long) PLACE_BYTES * i;
      long at = int64(place);
      List<Integer> candidates = field.candidates(first + i);
      require(int32(place + 20) == candidates.size(), "as many as were counted");
      for (int candidate : candidates) {
        set(indices + 4 * at, candidate);
        ALL.asSlice(corners + 16 * at, 16).fill((byte) 1);
        ALL.asSlice(slopes + 4 * at, 4).fill((byte) 1);
        at++;
      }
      for (int unit = 0; candidates.size() > 1 && unit * UNIT_ROWS < candidates.size(); unit++) {
        long to = units + 8L * (int32(place + 16) + unit);
        set(to, i);
        set(to + 4, unit);
      }
    }
  }

  private static void pairs(
      LaunchShape shape, MemorySegment memory, StarRule rule, String numbers) {
    Struct struct = new Struct(memory);
    Field field = Field.of(struct);
    long places = struct.int64();
    long indices = struct.int64();
    struct.int64();
    struct.int64();
    long units = struct.int64();
    long words = struct.int64();
    long stars = struct.int64();
    long doubts = struct.int64();
    long doubtCount = struct.int64();
    long unitCount = struct.int64();
    int room = struct.int32();
    int first = struct.int32();
    float circleError = Float.intBitsToFloat(struct.int32());
    float distanceError = Float.intBitsToFloat(struct.int32());
    require(shape.blockX() == THREADS, "threads");
    require(circleError >= 0x1p-17 && circleError < 0x1p-15, "the bound of a doubt");
    require(distanceError == (numbers.equals("64") ? 0 : circleError), "that of distances");
    for (long unit = units; unit < units + 8 * unitCount; unit += 8) {
      int point = int32(unit);
      long place = places + (long) PLACE_BYTES * point;
      long list = indices + 4 * int64(place);
      int from = Math.max(1, int32(unit + 4) * UNIT_ROWS);
      int to = Math.min(int32(place + 20), int32(unit + 4) * UNIT_ROWS + UNIT_ROWS);
      for (int b = from; b < to; b++) {
        long row = words + 4 * (int64(place + 8) + PairBits.words(b));
        for (int a = 0; a < b; a++) {
          if (a % 32 == 0 && words != 0) {
            set(row + a / 8, 0);
          }
          int j = int32(list + 4L * a);
          int k = int32(list + 4L * b);
          if (numbers.equals("real") && (a + b) % SURE == 0) {
            long at = int64(doubtCount);
            set(doubtCount, at + 1);
            if (at < room) {
              int[] doubt = {point, a, b, j, k};
              for (int i = 0; i < doubt.length; i++) {
                set(doubts + DOUBT_BYTES * at + 4L * i, doubt[i]);
              }
            }
          } else if (field.isStar(rule, first + point, j, k)) {
            set(stars, int64(stars) + 1);
            if (words != 0) {
              long word = row + a / 32 * 4;
              set(word, int32(word) | 1 << a);
            }
          }
        }
      }
    }
  }

  /** The paper's: decided by the tables, as there. */
  private record Cells(
      long xs,
      long ys,
      long cells,
      long segments,
      long numbers,
      long bounds,
      long output,
      long filled,
      long stars,
      long room,
      int segmentCount,
      int side,
      int numberCount,
      int first,
      int end) {

    Cells(MemorySegment memory) {
      this(new Struct(memory));
    }

    private Cells(Struct struct) {
      this(
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int32(),
          struct.int32(),
          struct.int32(),
          struct.int32(),
          struct.int32());
    }

    void search(LaunchShape shape, boolean local) {
      require(shape.blockX() == THREADS, "threads");
      for (int i = 0; i < segmentCount; i++) {
        long segment = segments + 12L * i;
        long near = cells + 40L * int32(segment);
        for (int[] combination : COMBINATIONS) {
          search(segment, near, combination[0], combination[1], local);
        }
      }
    }

    private void search(long segment, long near, int second, int third, boolean local) {
      int home = int32(segment + 4);
      int homeEnd = home + int32(segment + 8);
      int qEnd = int32(near + 20 + 4 * second);
      int rEnd = int32(near + 20 + 4 * third);
      for (int qs = int32(near + 4 * second); qs < qEnd; qs += SEGMENT_POINTS) {
        int rFrom = second == third ? qs : int32(near + 4 * third);
        for (int rs = rFrom; rs < rEnd; rs += SEGMENT_POINTS) {
          List<int[]> found = new ArrayList<>();
          for (int p = home; p < homeEnd; p++) {
            for (int q = second == 0 ? Math.max(p + 1, qs) : qs;
                q < Math.min(qs + SEGMENT_POINTS, qEnd);
                q++) {
              for (int r = second == third ? Math.max(q + 1, rs) : rs;
                  r < Math.min(rs + SEGMENT_POINTS, rEnd);
                  r++) {
                if (isStar(p, q, r)) {
                  found.add(new int[] {p, q, r});
                }
              }
            }
          }
          report(found, local, new int[] {home, qs, rs});
        }
      }
    }

    private boolean isStar(int p, int q, int r) {
      int a = number(p, q);
      int b = number(p, r);
      int c = number(q, r);
      int lowest = lower(lower(p, q), r);
      if (a < 0 || b < 0 || c < 0 || lowest < first || lowest >= end) {
        return false;
      }
      int between = int32(bounds + 4L * (a * numberCount + b));
      return c >= (between & 0xFFFF) && c <= between >> 16;
    }

    private int number(int p, int q) {
      long x = Math.abs((long) int32(xs + 4L * p) - int32(xs + 4L * q));
      long y = Math.abs((long) int32(ys + 4L * p) - int32(ys + 4L * q));
      return x < side && y < side ? ALL.get(JAVA_SHORT, numbers + 2 * (y * side + x)) : -1;
    }

    private int lower(int p, int q) {
      int pY = int32(ys + 4L * p);
      int qY = int32(ys + 4L * q);
      boolean lower = pY < qY || (pY == qY && int32(xs + 4L * p) < int32(xs + 4L * q));
      return lower ? p : q;
    }

    private void report(List<int[]> found, boolean local, int[] starts) {
      for (int from = 0; from < found.size(); from += SEGMENT_POINTS) {
        List<int[]> some = found.subList(from, Math.min(from + SEGMENT_POINTS, found.size()));
        long at = int64(filled);
        set(filled, at + (local ? 1 : some.size()));
        if (local) {
          set(stars, int64(stars) + some.size());
        }
        if (at + (local ? 1 : some.size()) > room) {
          continue;
        }
        if (local) {
          chunk(output + CHUNK_BYTES * at, some, starts);
        } else {
          triples(output + 12 * at, some);
        }
      }
    }

    private void triples(long to, List<int[]> found) {
      for (int i = 0; i < found.size(); i++) {
        int[] star = found.get(i);
        int lowest = lower(lower(star[0], star[1]), star[2]);
        int second = lowest == star[0] ? star[1] : star[0];
        int third = lowest == star[2] ? star[1] : star[2];
        set(to + 12L * i, lowest);
        set(to + 12L * i + 4, Math.min(second, third));
        set(to + 12L * i + 8, Math.max(second, third));
      }
    }

    private static void chunk(long to, List<int[]> found, int[] starts) {
      for (int corner = 0; corner < 3; corner++) {
        set(to + 4L * corner, starts[corner]);
        for (int i = 0; i < found.size(); i++) {
          long local = to + CHUNK_HEADER + 3L * i + corner;
          GpuMemory.setByte(local, found.get(i)[corner] - starts[corner]);
        }
      }
      set(to + 12, found.size());
    }
  }
}
