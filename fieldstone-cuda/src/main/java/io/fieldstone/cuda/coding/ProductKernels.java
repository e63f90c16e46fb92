package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.driver.DeviceAttribute;
import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.driver.PinnedBuffer;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.field.Gf256;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The kernels that multiply on an open GPU, each found when it is first used, and the tables of
 * fields that they read. Thread-safe.
 */
public final class ProductKernels {

  private static final int THREADS = 256;

  /** A kernel whose blocks prepare nothing may have more of them than run at once. */
  private static final int WAVES = 4;

  /** Threads and shared memory of {@code product_table}: 32 copies of exp and of log. */
  private static final int TABLE_THREADS = 512;

  private static final int TABLE_SHARED = 48 << 10;

  /** Shared memory of {@code product_table_log}: 32 copies of exp. */
  private static final int LOG_SHARED = 32 << 10;

  /** Threads, tile and shared memory of {@code product_four_russians}. */
  private static final int RUSSIAN_THREADS = 512;

  private static final int RUSSIAN_TILE = 128;
  static final int RUSSIAN_SHARED = 69_632;

  /** Rows from which tables of subsets pay: half of what shares one. */
  private static final int RUSSIAN_ROWS = 64;

  private static final int WARP = 32;
  private static final int WORD = 4;
  private static final int VECTOR = 16;
  private static final int EIGHT_ROWS = 8;

  /** Sources from which planes pay, their making included: measured on an H200. */
  static final int LONG_SUM = 1024;

  /** Coded blocks and bytes from which they do: a tile of a plane. */
  private static final int LARGE_SIDE = 256;

  private final Gpu gpu;
  private final KernelModules modules;
  private final int multiprocessorShared;
  private final boolean hasWarpgroups;
  private final Map<ProductVariant, KernelFactory> products = new ConcurrentHashMap<>();
  private final Map<ProductVariant, TensorKernel.Programs> tensors = new ConcurrentHashMap<>();
  private Optional<BilinearKernel.Programs> planes = Optional.empty();
  private final RowKernel.Selection byRows;
  private final KernelFactory rows;
  private final DrawKernel draw;
  private final RowProduct tallProduct;
  private final Map<Integer, FieldTables> tables = new ConcurrentHashMap<>();

  /** Makes a kernel for a field. */
  interface KernelFactory {
    CudaProductKernel forField(FieldTables field);
  }

  /** Finds those that every engine needs. */
  public ProductKernels(Gpu gpu) {
    this.gpu = gpu;
    this.modules = gpu.modules();
    Device device = gpu.context().device();
    this.multiprocessorShared = device.attribute(DeviceAttribute.SHARED_BYTES_PER_MULTIPROCESSOR);
    this.hasWarpgroups = ProductVariant.hasWarpgroups(device);
    int mostShared = device.attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK);
    boolean hasRussian = mostShared >= RUSSIAN_SHARED;
    RowProduct tile = loopTile();
    this.tallProduct = hasRussian ? fourRussians() : tile;
    this.byRows = m -> m < RUSSIAN_ROWS ? tile : tallProduct;
    this.rows = field -> new RowKernel("rows", byRows, field);
    this.draw = new DrawKernel(modules);
  }

  public Gpu gpu() {
    return gpu;
  }

  /** Coefficients of a caller, or drawn on the GPU. */
  public CoefficientSource coefficientSource(Coefficients coefficients) {
    return switch (coefficients) {
      case ByteMatrices given -> new GivenCoefficients(HostMatrices.input(gpu, given));
      case RandomCoefficients draws -> new DrawnCoefficients(draws, draw);
    };
  }

  /** The tables of a field, written to the GPU when they are first asked for. */
  public FieldTables tables(Gf256 field) {
    return tables.computeIfAbsent(field.polynomial(), _ -> writeTables(field));
  }

  private FieldTables writeTables(Gf256 field) {
    DeviceBuffer buffer = gpu.reserve(FieldTables.BYTES + BilinearFormula.BYTES);
    try (PinnedBuffer written = gpu.context().allocatePinned(FieldTables.BYTES)) {
      FieldTables.write(field, written.segment());
      gpu.streams()
          .useOne(slot -> {
            slot.stream().upload(written.segment(), buffer.address());
            slot.stream().synchronize();
          });
    }
    BilinearFormula formula =
        new BilinearFormula(
            buffer.address() + FieldTables.BYTES,
            field.polynomial(),
            gpu.streams(),
            this::bilinearFormula);
    return new FieldTables(buffer.address(), field.polynomial(), formula);
  }

  /** Multiplies plain rows, fastest where products have many. */
  public RowProduct tallProduct() {
    return tallProduct;
  }

  /** The fastest that multiplies plain rows, by the rows of the product. */
  public RowKernel.Selection rowProducts() {
    return byRows;
  }

  /** The best of those that multiply plain rows, for products of m rows. */
  public RowProduct rowProduct(int m) {
    return byRows.forRows(m);
  }

  /** The best of those that multiply plain rows, for each number of rows. */
  public CudaProductKernel rows(FieldTables field) {
    return rows.forField(field);
  }

  /**
   * A kernel by name.
   *
   * @throws IllegalArgumentException if the module has it not
   */
  CudaProductKernel named(ProductVariant kind, FieldTables field) {
    return products.computeIfAbsent(kind, this::find).forField(field);
  }

  private KernelFactory find(ProductVariant kind) {
    return switch (kind) {
      case TENSOR, TENSOR_WARPS -> field -> tensor(kind, field);
      case BILINEAR -> field -> bilinear(kind.spec(), field, 0, 0);
      case FOUR_RUSSIANS -> plain(kind, fourRussians());
      case LOOP_TILE -> plain(kind, loopTile());
      case LOOP_WORD ->
          plain(kind, perThread("product_loops", "product_loop_word", THREADS, 0, 1, WORD));
      case LOOP_BYTE ->
          plain(kind, perThread("product_loops", "product_loop_byte", THREADS, 0, 1, 1));
      case TABLE ->
          plain(
              kind,
              perThread("product_tables", "product_table", TABLE_THREADS, TABLE_SHARED, 1, WORD));
      case TABLE_LOG -> tableLog();
    };
  }

  private static KernelFactory plain(ProductVariant kind, RowProduct product) {
    return field -> new RowKernel(kind.spec(), _ -> product, field);
  }

  private RowProduct perThread(
      String file, String name, int blockX, int sharedBytes, int tileRows, int tileColumns) {
    int waves = sharedBytes == 0 ? WAVES : 1;
    GridStrideKernel kernel = modules.kernel(file, name, blockX, sharedBytes, waves);
    return new RowProduct(kernel, tileRows, tileColumns, false);
  }

  private RowProduct loopTile() {
    return perThread("product_loops", "product_loop_tile", THREADS, 0, EIGHT_ROWS, VECTOR);
  }

  private RowProduct fourRussians() {
    GridStrideKernel kernel =
        modules.kernel(
            "product_four_russians",
            "product_four_russians",
            RUSSIAN_THREADS,
            RUSSIAN_SHARED,
            WAVES);
    return new RowProduct(kernel, RUSSIAN_TILE, RUSSIAN_TILE, true);
  }

  private KernelFactory tableLog() {
    LogKernel.Programs programs =
        new LogKernel.Programs(
            perThread("product_tables", "product_table_log", THREADS, LOG_SHARED, EIGHT_ROWS, WORD),
            modules.kernel("product_tables", "sources_to_log", THREADS, 0, WAVES),
            modules.kernel("product_tables", "sources_from_log", THREADS, 0, WAVES),
            modules.kernel("product_tables", "coefficients_to_log", THREADS, 0, WAVES));
    return field -> new LogKernel(programs, field);
  }

  /** The tensor cores' best for products of long sums, and for the others beside them. */
  CudaProductKernel longSums(FieldTables field) {
    return bilinear(ProductVariant.TENSOR.spec(), field, LONG_SUM, LARGE_SIDE);
  }

  /** Whether this GPU has {@link #longSums}. */
  boolean hasLongSums() {
    return hasWarpgroups;
  }

  /** Works out a {@link BilinearFormula}, where this GPU has {@link #longSums}. */
  GridStrideKernel bilinearFormula() {
    return modules.kernel("product_bilinear", "bilinear_formula", WARP, 0, 1);
  }

  private BilinearKernel bilinear(String name, FieldTables field, int leastSources, int leastSide) {
    TensorKernel tiles = tensor(ProductVariant.TENSOR, field);
    return new BilinearKernel(name, planes(), tiles, field, leastSources, leastSide);
  }

  private synchronized BilinearKernel.Programs planes() {
    BilinearKernel.Programs found = planes.orElseGet(() -> BilinearKernel.Programs.find(modules));
    planes = Optional.of(found);
    return found;
  }

  private TensorKernel tensor(ProductVariant kind, FieldTables field) {
    return new TensorKernel(tensors.computeIfAbsent(kind, this::tensorPrograms), field);
  }

  private TensorKernel.Programs tensorPrograms(ProductVariant kind) {
    TensorKernel.Multiplier multiplier =
        kind == ProductVariant.TENSOR && hasWarpgroups
            ? TensorKernel.Warpgroups.find(modules)
            : TensorKernel.Warps.find(modules, multiprocessorShared);
    return TensorKernel.Programs.find(kind.spec(), modules, multiplier);
  }
}
