package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Multiplies with 24 bit products per byte product instead of 64: {@code product_bilinear.cu}. Both
 * operands are expanded to bit planes of three times their size, which pays off for long sums. The
 * layout is that of {@link TensorKernel}, which multiplies the remaining shapes.
 */
final class BilinearKernel implements CudaProductKernel {

  /** The number of bit planes. */
  private static final int PLANES = 24;

  /** The sides of a plane's tile: rows of coefficients or columns of sources, by sources. */
  private static final int TILE = 256;

  private static final long TILE_BYTES = TILE * TILE / Byte.SIZE;

  private final String name;
  private final Programs programs;
  private final TensorKernel tiles;
  private final long formula;
  private final int minSources;
  private final int minSide;

  /** The compiled kernels, which are independent of the field. */
  record Programs(
      GridStrideKernel coefficientPlanes, GridStrideKernel tilePlanes, GridStrideKernel multiply) {

    private static final String FILE = "product_bilinear";
    private static final int THREADS = 256;
    private static final int WAVES = 4;
    private static final int MULTIPLY_THREADS = 384;

    /** {@code bilinear::kSharedBytes}. */
    private static final int SHARED = (192 << 10) + 24 * 8 * 4 + 256;

    static Programs find(KernelModules modules) {
      return new Programs(
          modules.kernel(FILE, "bilinear_coefficient_planes", THREADS, 0, WAVES),
          modules.kernel(FILE, "bilinear_tile_planes", THREADS, 0, WAVES),
          modules.kernel(FILE, "bilinear_multiply", MULTIPLY_THREADS, SHARED, 1));
    }
  }

  /**
   * @param tiles converts layouts, and multiplies smaller shapes
   * @param field the field, whose formula is computed if necessary
   * @param minSources the minimum n for planes
   * @param minSide the minimum m and k for planes
   */
  BilinearKernel(
      String name,
      Programs programs,
      TensorKernel tiles,
      FieldTables field,
      int minSources,
      int minSide) {
    this.name = name;
    this.programs = programs;
    this.tiles = tiles;
    this.formula = field.formula().address();
    this.minSources = minSources;
    this.minSide = minSide;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isRowMajor() {
    return false;
  }

  @Override
  public long layoutBytes(int rows, int columns) {
    return tiles.layoutBytes(rows, columns);
  }

  @Override
  public KernelLayout layout(long address, long count, long pitch, int rows, int columns) {
    return tiles.layout(address, count, pitch, rows, columns);
  }

  @Override
  public void clear(StreamSlot slot, KernelLayout blocks) {
    tiles.clear(slot, blocks);
  }

  @Override
  public void layOut(StreamSlot slot, DeviceMatrices rows, KernelLayout blocks, int firstRow) {
    tiles.layOut(slot, rows, blocks, firstRow);
  }

  @Override
  public void read(StreamSlot slot, KernelLayout blocks, int firstRow, DeviceMatrices rows) {
    tiles.read(slot, blocks, firstRow, rows);
  }

  @Override
  public KernelLayout columns(KernelLayout blocks, int first, int columns) {
    return tiles.columns(blocks, first, columns);
  }

  private boolean usesPlanes(int rows, int sources, int columns) {
    return sources >= Math.max(1, minSources) && rows >= minSide && columns >= minSide;
  }

  /**
   * Returns the size of the planes of a matrix with {@code side} rows of coefficients, or columns
   * of sources.
   */
  private static long planeBytes(int side, int sources) {
    long tilesOfPlane = (long) Math.ceilDiv(side, TILE) * Math.ceilDiv(sources, TILE);
    return PLANES * tilesOfPlane * TILE_BYTES;
  }

  @Override
  public long preparedBytes(int rows, int blocks, int columns) {
    return usesPlanes(rows, blocks, columns)
        ? planeBytes(rows, blocks) + planeBytes(columns, blocks)
        : 0;
  }

  @Override
  public void prepare(StreamSlot slot, DeviceMatrices coefficients, int blocks, long prepared) {
    // The use of planes depends on the columns too, so multiply() expands the coefficients.
  }

  @Override
  public void multiply(
      StreamSlot slot,
      DeviceMatrices coefficients,
      long prepared,
      KernelLayout blocks,
      DeviceMatrices products) {
    int sources = coefficients.columns();
    if (!usesPlanes(products.rows(), sources, products.columns())) {
      tiles.multiply(slot, coefficients, prepared, blocks, products);
      return;
    }
    long count = products.count();
    long coefficientPitch = planeBytes(products.rows(), sources);
    long sourcePitch = planeBytes(products.columns(), sources);
    long sourcePlanes = prepared + count * coefficientPitch;
    int steps = Math.ceilDiv(sources, TILE);
    expandCoefficients(slot, coefficients, prepared, coefficientPitch, steps);
    expandSources(slot, blocks, products, sources, sourcePlanes, sourcePitch, steps);
    slot.arguments()
        .int64(prepared)
        .int64(coefficientPitch)
        .int64(sourcePlanes)
        .int64(sourcePitch)
        .matrices(products)
        .int64(formula)
        .int64(count)
        .int32(products.rows())
        .int32(sources)
        .int32(products.columns())
        .int32(0);
    long items =
        count * Math.ceilDiv(products.rows(), TILE) * Math.ceilDiv(products.columns(), TILE);
    programs.multiply().launchBlocks(slot, items);
  }

  private void expandCoefficients(
      StreamSlot slot, DeviceMatrices coefficients, long planes, long pitch, int steps) {
    slot.arguments()
        .matrices(coefficients)
        .int64(planes)
        .int64(pitch)
        .int64(formula)
        .int64(coefficients.count())
        .int32(coefficients.rows())
        .int32(coefficients.columns());
    long warps = coefficients.count() * Math.ceilDiv(coefficients.rows(), 8) * 2L * steps;
    programs.coefficientPlanes().launchThreads(slot, warps * 32);
  }

  private void expandSources(
      StreamSlot slot,
      KernelLayout blocks,
      DeviceMatrices products,
      int sources,
      long planes,
      long pitch,
      int steps) {
    slot.arguments()
        .int64(blocks.address())
        .int64(blocks.pitch())
        .int64(planes)
        .int64(pitch)
        .int64(formula)
        .int64(products.count())
        .int32(sources)
        .int32(products.columns())
        .int32(TensorKernel.steps(blocks.rows()))
        .int32(0);
    long warps = products.count() * Math.ceilDiv(products.columns(), 64) * 2L * steps;
    programs.tilePlanes().launchThreads(slot, warps * 32);
  }
}
