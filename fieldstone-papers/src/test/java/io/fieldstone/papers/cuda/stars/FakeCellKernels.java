package io.fieldstone.papers.cuda.stars;

import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.ALL;
import static io.fieldstone.cuda.GpuMemory.int32;
import static io.fieldstone.cuda.GpuMemory.int64;
import static io.fieldstone.cuda.GpuMemory.set;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.fieldstone.cuda.GpuMemory;
import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.engine.stars.StarBatch.LocalIds;
import io.fieldstone.papers.cuda.stars.CellArguments.CellSearch;
import io.fieldstone.papers.cuda.stars.CellPoints.Segment;
import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The kernels of cells.cu in Java, with the tables of the paper. */
public final class FakeCellKernels {

  private static final int THREADS = 256;
  private static final long CELLS_BYTES = CellPoints.CELLS.byteSize();
  private static final long CELLS_FROM = CellPoints.CELLS.byteOffset(groupElement("from"));
  private static final long CELLS_TO = CellPoints.CELLS.byteOffset(groupElement("to"));
  private static final int SEGMENT_POINTS = LocalIds.SEGMENT_POINTS;
  private static final int CHUNK_BYTES = LocalIds.CHUNK_BYTES;
  private static final int CHUNK_HEADER = 16;

  /** The two neighbours of each combination; the others are two columns apart. */
  private static final int[][] COMBINATIONS = {
    {0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 1}, {1, 3}, {1, 4}, {2, 2}, {2, 3}, {3, 3}, {3, 4},
    {4, 4}
  };

  private FakeCellKernels() {}

  /** Returns the records that describe structs, by the names of the CUDA source. */
  public static Map<String, Class<? extends Record>> structs() {
    return Map.of("StarCellsArguments", CellSearch.class, "StarSegment", Segment.class);
  }

  /** Returns the layouts of structs, by the names of the CUDA source. */
  public static Map<String, StructLayout> layouts() {
    return Map.of("StarCells", CellPoints.CELLS);
  }

  /** Registers the kernels with a driver. */
  public static FakeDriver register(FakeDriver driver) {
    return driver
        .kernel(
            "stars_cells",
            Struct.bytes(CellSearch.class),
            (shape, struct) ->
                new Cells(Struct.read(struct, CellSearch.class)).search(shape, false))
        .kernel(
            "stars_cells_local",
            Struct.bytes(CellSearch.class),
            (shape, struct) ->
                new Cells(Struct.read(struct, CellSearch.class)).search(shape, true));
  }

  /** The paper's search, with its tables. */
  private record Cells(CellSearch a) {

    void search(LaunchShape shape, boolean local) {
      require(shape.blockX() == THREADS, "threads");
      for (int i = 0; i < a.segmentCount(); i++) {
        long at = a.tables().segments() + 4L * Segment.INTS * i;
        Segment segment = GpuMemory.struct(at, Segment.class);
        long near = a.tables().cells() + CELLS_BYTES * segment.cell();
        for (int[] combination : COMBINATIONS) {
          search(segment, near, combination[0], combination[1], local);
        }
      }
    }

    private void search(Segment segment, long near, int second, int third, boolean local) {
      int own = segment.first();
      int ownEnd = own + segment.count();
      int qEnd = int32(near + CELLS_TO + 4 * second);
      int rEnd = int32(near + CELLS_TO + 4 * third);
      for (int qs = int32(near + CELLS_FROM + 4 * second); qs < qEnd; qs += SEGMENT_POINTS) {
        int rFrom = second == third ? qs : int32(near + CELLS_FROM + 4 * third);
        for (int rs = rFrom; rs < rEnd; rs += SEGMENT_POINTS) {
          List<int[]> found = new ArrayList<>();
          for (int p = own; p < ownEnd; p++) {
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
          report(found, local, new int[] {own, qs, rs});
        }
      }
    }

    private boolean isStar(int p, int q, int r) {
      int pq = number(p, q);
      int pr = number(p, r);
      int qr = number(q, r);
      int lowest = lower(lower(p, q), r);
      if (pq < 0 || pr < 0 || qr < 0 || lowest < a.first() || lowest >= a.end()) {
        return false;
      }
      int thirdRange = int32(a.tables().bounds() + 4L * (pq * a.numberCount() + pr));
      return qr >= (thirdRange & 0xFFFF) && qr <= thirdRange >> 16;
    }

    private int number(int p, int q) {
      long x = Math.abs((long) int32(a.tables().xs() + 4L * p) - int32(a.tables().xs() + 4L * q));
      long y = Math.abs((long) int32(a.tables().ys() + 4L * p) - int32(a.tables().ys() + 4L * q));
      return x < a.side() && y < a.side()
          ? ALL.get(JAVA_SHORT, a.tables().numbers() + 2 * (y * a.side() + x))
          : -1;
    }

    private int lower(int p, int q) {
      int pY = int32(a.tables().ys() + 4L * p);
      int qY = int32(a.tables().ys() + 4L * q);
      boolean lower =
          pY < qY
              || (pY == qY && int32(a.tables().xs() + 4L * p) < int32(a.tables().xs() + 4L * q));
      return lower ? p : q;
    }

    private void report(List<int[]> found, boolean local, int[] starts) {
      for (int from = 0; from < found.size(); from += SEGMENT_POINTS) {
        List<int[]> some = found.subList(from, Math.min(from + SEGMENT_POINTS, found.size()));
        long at = int64(a.filled());
        set(a.filled(), at + (local ? 1 : some.size()));
        if (local) {
          set(a.stars(), int64(a.stars()) + some.size());
        }
        if (at + (local ? 1 : some.size()) > a.capacity()) {
          continue;
        }
        if (local) {
          chunk(a.output() + CHUNK_BYTES * at, some, starts);
        } else {
          triples(a.output() + 12 * at, some);
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
