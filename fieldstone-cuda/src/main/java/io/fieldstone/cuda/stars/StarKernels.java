package io.fieldstone.cuda.stars;

import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;

/** Launches the kernels of stars.cu that find stars from candidates. */
final class StarKernels {

  private static final int WARPS = 8;
  private static final int WARP = 32;

  /** Waves of blocks of a launch. */
  private static final int WAVES = 4;

  private static final int THREADS = WARPS * WARP;

  private final GridStrideKernel count;
  private final GridStrideKernel list;
  private final GridStrideKernel pairs;
  private final Precision precision;
  private final double range;
  private final int scale;

  private StarKernels(KernelModules modules, StarField field, Precision precision) {
    String rule = field.rule() == StarRule.CIRCUMCIRCLE ? "circle" : "enclosing";
    this.count = modules.kernel("stars", "stars_count", THREADS, 0, WAVES);
    this.list = modules.kernel("stars", "stars_list", THREADS, 0, WAVES);
    this.pairs =
        modules.kernel(
            "stars", "stars_pairs_%s_%s".formatted(rule, precision.suffix()), THREADS, 0, WAVES);
    this.precision = precision;
    this.range = field.range();
    this.scale = -Math.getExponent(field.range());
  }

  /** Finds the kernels for a field. */
  static StarKernels find(KernelModules modules, StarField field) {
    return new StarKernels(modules, field, Precision.of(field));
  }

  Precision precision() {
    return precision;
  }

  /** Counts the candidates of a range of points into an array of ints. */
  void count(
      StreamSlot slot, StarPoints points, long base, int first, int pointCount, long counts) {
    new StarArguments.Count(field(points, base), counts, first, pointCount).write(slot.arguments());
    count.launchBlocks(slot, Math.ceilDiv(pointCount, WARPS));
  }

  /** Lists the candidates of a piece. */
  void list(StreamSlot slot, StarPoints points, long base, StarPiece piece, StarScratch memory) {
    new StarArguments.Candidates(
            field(points, base),
            memory.places(slot),
            memory.indices(slot),
            memory.corners(slot),
            memory.slopes(slot),
            memory.units(slot),
            piece.first(),
            piece.points())
        .write(slot.arguments());
    list.launchBlocks(slot, Math.ceilDiv(piece.points(), WARPS));
  }

  /** Tests the pairs of a piece. */
  void test(StreamSlot slot, StarPoints points, long base, StarPiece piece, StarScratch memory) {
    float scaled = (float) Math.scalb(range, scale);
    float square = scaled * scaled;
    new StarArguments.Pairs(
            field(points, base),
            memory.places(slot),
            memory.indices(slot),
            memory.corners(slot),
            memory.slopes(slot),
            memory.units(slot),
            memory.words(slot),
            memory.stars(slot),
            memory.undecided(slot),
            memory.undecidedCount(slot),
            piece.units(),
            StarScratch.MAX_UNDECIDED,
            piece.first(),
            Precision.ERROR_BOUND * square,
            precision.distanceError() * square)
        .write(slot.arguments());
    pairs.launchBlocks(slot, Math.ceilDiv(piece.units(), WARPS));
  }

  private StarArguments.Field field(StarPoints points, long base) {
    return new StarArguments.Field(
        points.xs(base),
        points.ys(base),
        points.cells(base),
        range,
        precision.squareError(),
        points.cellCount(),
        scale);
  }
}
