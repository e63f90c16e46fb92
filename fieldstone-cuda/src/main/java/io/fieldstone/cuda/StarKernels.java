package io.fieldstone.cuda;

import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarRule;

/** The kernels of stars.cu that find stars from candidates, and their structs. */
final class StarKernels {

  private static final int WARPS = 8;
  private static final int WARP = 32;

  /** Blocks that may wait for others to end, as multiples of those that run at once. */
  private static final int WAVES = 4;

  private static final int THREADS = WARPS * WARP;

  private final GridKernel count;
  private final GridKernel list;
  private final GridKernel pairs;
  private final StarNumbers numbers;
  private final double range;
  private final int scale;

  private StarKernels(KernelModules modules, StarField field, StarNumbers numbers) {
    String rule = field.rule() == StarRule.CIRCUMCIRCLE ? "circle" : "enclosing";
    this.count = modules.kernel("stars", "stars_count", THREADS, 0, WAVES);
    this.list = modules.kernel("stars", "stars_list", THREADS, 0, WAVES);
    this.pairs =
        modules.kernel(
            "stars", "stars_pairs_%s_%s".formatted(rule, numbers.suffix()), THREADS, 0, WAVES);
    this.numbers = numbers;
    this.range = field.range();
    this.scale = -Math.getExponent(field.range());
  }

  /** Finds those for a field. */
  static StarKernels find(KernelModules modules, StarField field) {
    return new StarKernels(modules, field, StarNumbers.of(field));
  }

  StarNumbers numbers() {
    return numbers;
  }

  /** Counts the candidates of points {@code first} … into ints at an address. */
  void count(Lane lane, StarPoints points, long base, int first, int many, long counts) {
    field(lane, points, base).int64(counts).int32(first).int32(many);
    count.launchBlocks(lane, Math.ceilDiv(many, WARPS));
  }

  /** Lists the candidates of a piece. */
  void list(Lane lane, StarPoints points, long base, StarPiece piece, StarWorkspace memory) {
    field(lane, points, base)
        .int64(memory.places(lane))
        .int64(memory.indices(lane))
        .int64(memory.corners(lane))
        .int64(memory.slopes(lane))
        .int64(memory.units(lane))
        .int32(piece.first())
        .int32(piece.points());
    list.launchBlocks(lane, Math.ceilDiv(piece.points(), WARPS));
  }

  /** Tests the pairs of a piece. */
  void test(Lane lane, StarPoints points, long base, StarPiece piece, StarWorkspace memory) {
    float scaled = (float) Math.scalb(range, scale);
    float square = scaled * scaled;
    field(lane, points, base)
        .int64(memory.places(lane))
        .int64(memory.indices(lane))
        .int64(memory.corners(lane))
        .int64(memory.slopes(lane))
        .int64(memory.units(lane))
        .int64(memory.words(lane))
        .int64(memory.stars(lane))
        .int64(memory.doubts(lane))
        .int64(memory.doubtCount(lane))
        .int64(piece.units())
        .int32(StarWorkspace.DOUBTS)
        .int32(piece.first())
        .int32(Float.floatToRawIntBits(StarNumbers.DOUBT * square))
        .int32(Float.floatToRawIntBits(numbers.distanceDoubt() * square));
    pairs.launchBlocks(lane, Math.ceilDiv(piece.units(), WARPS));
  }

  /** A {@code struct StarField}. */
  private KernelArguments field(Lane lane, StarPoints points, long base) {
    return lane.arguments()
        .int64(points.xs(base))
        .int64(points.ys(base))
        .int64(points.cells(base))
        .int64(Double.doubleToRawLongBits(range))
        .int64(Double.doubleToRawLongBits(numbers.squareError()))
        .int32(points.cellCount())
        .int32(scale);
  }
}
