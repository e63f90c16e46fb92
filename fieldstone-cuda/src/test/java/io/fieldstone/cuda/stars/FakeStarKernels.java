package io.fieldstone.cuda.stars;

import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.ALL;
import static io.fieldstone.cuda.GpuMemory.int32;
import static io.fieldstone.cuda.GpuMemory.int64;
import static io.fieldstone.cuda.GpuMemory.set;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import io.fieldstone.cuda.GpuMemory;
import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.stars.StarArguments.Candidates;
import io.fieldstone.cuda.stars.StarArguments.Count;
import io.fieldstone.cuda.stars.StarArguments.Field;
import io.fieldstone.cuda.stars.StarArguments.Pairs;
import io.fieldstone.cuda.stars.StarArguments.Place;
import io.fieldstone.cuda.stars.StarArguments.Undecided;
import io.fieldstone.cuda.stars.StarArguments.Unit;
import io.fieldstone.cuda.stars.StarPoints.Cell;
import io.fieldstone.engine.stars.StarBatch.PairBits;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.plane.Distance;
import io.fieldstone.plane.Triangle;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The kernels of stars.cu in Java, by the definitions of candidates and of stars. */
public final class FakeStarKernels {

  private static final int THREADS = 256;
  private static final long CELL_BYTES = (long) Integer.BYTES * Cell.INTS;
  private static final int UNIT_ROWS = StarPiece.UNIT_ROWS;

  /** One of this many pairs of real numbers is left undecided. */
  private static final int SURE = 3;

  private FakeStarKernels() {}

  /** Returns the records that describe structs, by the names of the CUDA source. */
  public static Map<String, Class<? extends Record>> structs() {
    return Map.ofEntries(
        Map.entry("StarField", Field.class),
        Map.entry("StarCountArguments", Count.class),
        Map.entry("StarListArguments", Candidates.class),
        Map.entry("StarPairArguments", Pairs.class),
        Map.entry("StarPlace", Place.class),
        Map.entry("StarDoubt", Undecided.class),
        Map.entry("StarUnit", Unit.class),
        Map.entry("StarCell", Cell.class));
  }

  public static FakeDriver register(FakeDriver driver) {
    for (String numbers : new String[] {"64", "128", "real"}) {
      driver.kernel(
          "stars_pairs_circle_" + numbers,
          Struct.bytes(Pairs.class),
          (shape, struct) ->
              pairs(shape, Struct.read(struct, Pairs.class), StarRule.CIRCUMCIRCLE, numbers));
      driver.kernel(
          "stars_pairs_enclosing_" + numbers,
          Struct.bytes(Pairs.class),
          (shape, struct) ->
              pairs(shape, Struct.read(struct, Pairs.class), StarRule.ENCLOSING_CIRCLE, numbers));
    }
    return driver
        .kernel(
            "stars_count",
            Struct.bytes(Count.class),
            (shape, struct) -> count(shape, Struct.read(struct, Count.class)))
        .kernel(
            "stars_list",
            Struct.bytes(Candidates.class),
            (shape, struct) -> list(shape, Struct.read(struct, Candidates.class)));
  }

  private static double real(long address) {
    return ALL.get(JAVA_DOUBLE, address);
  }

  private record Points(Field a) {

    Points {
      double scaled = Math.scalb(a.range(), a.scale());
      require(scaled >= 1 && scaled < 2, "the scale");
    }

    double x(int point) {
      return real(a.xs() + 8L * point);
    }

    double y(int point) {
      return real(a.ys() + 8L * point);
    }

    List<Integer> candidates(int lowest) {
      int number = 0;
      while (number + 1 < a.cellCount() && cell(number + 1).start() <= lowest) {
        number++;
      }
      Cell cell = cell(number);
      return IntStream.concat(
              IntStream.range(cell.sameFrom(), cell.sameTo()),
              IntStream.range(cell.nextFrom(), cell.nextTo()))
          .filter(point -> isCandidate(lowest, point))
          .boxed()
          .toList();
    }

    private Cell cell(int number) {
      return GpuMemory.struct(a.cells() + CELL_BYTES * number, Cell.class);
    }

    private boolean isCandidate(int lowest, int point) {
      boolean higher = y(point) > y(lowest) || (y(point) == y(lowest) && x(point) > x(lowest));
      return higher
          && Distance.compare(x(point), y(point), x(lowest), y(lowest), a.range()) > 0
          && Distance.compare(x(point), y(point), x(lowest), y(lowest), 2 * a.range()) <= 0;
    }

    boolean isStar(StarRule rule, int p, int q, int r) {
      return rule.holds(new Triangle(x(p), y(p), x(q), y(q), x(r), y(r)), a.range());
    }
  }

  private static void count(LaunchShape shape, Count a) {
    Points field = new Points(a.field());
    require(shape.blockX() == THREADS, "threads");
    for (int i = 0; i < a.points(); i++) {
      set(a.counts() + 4L * i, field.candidates(a.first() + i).size());
    }
  }

  private static void list(LaunchShape shape, Candidates a) {
    Points field = new Points(a.field());
    require(shape.blockX() == THREADS && a.corners() % 16 == 0, "threads, and corners of 16 bytes");
    for (int i = 0; i < a.points(); i++) {
      Place place = GpuMemory.struct(a.places() + Place.BYTES * i, Place.class);
      long at = place.list();
      List<Integer> candidates = field.candidates(a.first() + i);
      require(place.count() == candidates.size(), "as many as were counted");
      for (int candidate : candidates) {
        set(a.indices() + 4 * at, candidate);
        ALL.asSlice(a.corners() + 16 * at, 16).fill((byte) 1);
        ALL.asSlice(a.slopes() + 4 * at, 4).fill((byte) 1);
        at++;
      }
      for (int unit = 0; candidates.size() > 1 && unit * UNIT_ROWS < candidates.size(); unit++) {
        long to = a.units() + Unit.BYTES * (place.units() + unit);
        GpuMemory.set(to, new Unit(i, unit));
      }
    }
  }

  private static void pairs(LaunchShape shape, Pairs a, StarRule rule, String numbers) {
    Points field = new Points(a.field());
    require(shape.blockX() == THREADS, "threads");
    require(a.circleError() >= 0x1p-17 && a.circleError() < 0x1p-15, "the bound of a doubt");
    require(a.distanceError() == (numbers.equals("64") ? 0 : a.circleError()), "that of distances");
    for (long number = 0; number < a.unitCount(); number++) {
      Unit unit = GpuMemory.struct(a.units() + Unit.BYTES * number, Unit.class);
      int point = unit.point();
      Place place = GpuMemory.struct(a.places() + Place.BYTES * point, Place.class);
      long list = a.indices() + 4 * place.list();
      int from = Math.max(1, unit.rows() * UNIT_ROWS);
      int to = Math.min(place.count(), (unit.rows() + 1) * UNIT_ROWS);
      for (int row = from; row < to; row++) {
        long rowWords = a.words() + 4 * (place.words() + PairBits.words(row));
        for (int column = 0; column < row; column++) {
          if (column % 32 == 0 && a.words() != 0) {
            set(rowWords + column / 8, 0);
          }
          int j = int32(list + 4L * column);
          int k = int32(list + 4L * row);
          if (numbers.equals("real") && (column + row) % SURE == 0) {
            long at = int64(a.undecidedCount());
            set(a.undecidedCount(), at + 1);
            if (at < a.capacity()) {
              Undecided undecided = new Undecided(point, column, row, j, k);
              GpuMemory.set(a.undecided() + Undecided.BYTES * at, undecided);
            }
          } else if (field.isStar(rule, a.first() + point, j, k)) {
            set(a.stars(), int64(a.stars()) + 1);
            if (a.words() != 0) {
              long word = rowWords + column / 32 * 4;
              set(word, int32(word) | 1 << column);
            }
          }
        }
      }
    }
  }
}
