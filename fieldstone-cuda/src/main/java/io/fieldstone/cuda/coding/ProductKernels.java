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
 * The product kernels of an open GPU, loaded at their first use, and the field tables that they
 * read. Thread-safe.
 */
public final class ProductKernels {

  private static final int THREADS = 256;

  /** The blocks per resident block of kernels without a prologue. */
  private static final int WAVES = 4;

  /** Threads, tile and shared memory of {@code product_four_russians}. */
  private static final int RUSSIAN_THREADS = 512;

  private static final int RUSSIAN_TILE = 128;
  static final int RUSSIAN_SHARED = 69_632;

  /** The minimum rows for subset tables: half of the rows that share one. */
  private static final int MIN_RUSSIAN_ROWS = 64;

  private static final int WARP = 32;
  private static final int VECTOR = 16;
  private static final int EIGHT_ROWS = 8;

  /**
   * The minimum number of sources for bit planes, including their expansion: measured on an H200.
   */
  static final int MIN_PLANE_SOURCES = 1024;

  /** The minimum number of coded blocks and bytes for bit planes: a tile of a plane. */
  private static final int MIN_PLANE_SIDE = 256;

  private final Gpu gpu;
  private final KernelModules modules;
  private final int multiprocessorShared;
  private final boolean hasTensor;
  private final boolean hasWarpgroups;
  private final Map<ProductVariant, KernelFactory> products = new ConcurrentHashMap<>();
  private final Map<ProductVariant, TensorKernel.Programs> tensors = new ConcurrentHashMap<>();
  private Optional<BilinearKernel.Programs> planes = Optional.empty();
  private final RowKernel.Selection byRows;
  private final KernelFactory rows;
  private final DrawKernel draw;
  private final RowProduct tallProduct;
  private final Map<Integer, FieldTables> tables = new ConcurrentHashMap<>();

  /** Creates a kernel for a field. */
  interface KernelFactory {
    CudaProductKernel forField(FieldTables field);
  }

  /** Loads the kernels that every engine uses. */
  public ProductKernels(Gpu gpu) {
    this.gpu = gpu;
    this.modules = gpu.modules();
    Device device = gpu.context().device();
    this.multiprocessorShared = device.attribute(DeviceAttribute.SHARED_BYTES_PER_MULTIPROCESSOR);
    this.hasTensor = ProductVariant.TENSOR.missingOn(device).isEmpty();
    this.hasWarpgroups = ProductVariant.hasWarpgroups(device);
    int maxSharedBytes = device.attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK);
    boolean hasRussian = maxSharedBytes >= RUSSIAN_SHARED;
    RowProduct tile = loopTile();
    this.tallProduct = hasRussian ? fourRussians() : tile;
    this.byRows = m -> m < MIN_RUSSIAN_ROWS ? tile : tallProduct;
    this.rows = field -> new RowKernel("rows", byRows, field);
    this.draw = new DrawKernel(modules);
  }

  public Gpu gpu() {
    return gpu;
  }

  /** Returns coefficients of a caller, or drawn on the GPU. */
  public CoefficientSource coefficientSource(Coefficients coefficients) {
    return switch (coefficients) {
      case ByteMatrices given -> new GivenCoefficients(HostMatrices.input(gpu, given));
      case RandomCoefficients draws -> new DrawnCoefficients(draws, draw);
    };
  }

  /** Returns the tables of a field, which are uploaded at their first use. */
  public FieldTables tables(Gf256 field) {
    return tables.computeIfAbsent(field.polynomial(), _ -> writeTables(field));
  }

  private FieldTables writeTables(Gf256 field) {
    return gpu.withReserved(
        FieldTables.BYTES + BilinearFormula.BYTES, buffer -> writeTables(field, buffer));
  }

  private FieldTables writeTables(Gf256 field, DeviceBuffer buffer) {
    try (PinnedBuffer staging = gpu.context().allocatePinned(FieldTables.BYTES)) {
      FieldTables.write(field, staging.segment());
      gpu.streams()
          .useOne(slot -> {
            slot.stream().upload(staging.segment(), buffer.address());
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

  /** Returns the fastest method to add products with many rows. */
  public RankUpdate rankUpdate() {
    return hasTensor
        ? new RankUpdate.ByTiles(tensorPrograms(ProductVariant.TENSOR))
        : new RankUpdate.ByRows(tallProduct);
  }

  /** Returns the selection of the fastest row-major kernel by the rows of the product. */
  public RowKernel.Selection rowProducts() {
    return byRows;
  }

  /** Returns the fastest row-major kernel for products of m rows. */
  public RowProduct rowProduct(int m) {
    return byRows.forRows(m);
  }

  /** Returns the row-major kernel that selects the fastest one by the rows of the product. */
  public CudaProductKernel rows(FieldTables field) {
    return rows.forField(field);
  }

  /**
   * Returns a kernel by name.
   *
   * @throws IllegalArgumentException if the module has no such kernel
   */
  public CudaProductKernel named(ProductVariant kind, FieldTables field) {
    return products.computeIfAbsent(kind, this::find).forField(field);
  }

  private KernelFactory find(ProductVariant kind) {
    return switch (kind) {
      case TENSOR, TENSOR_WARPS -> field -> tensor(kind, field);
      case BILINEAR -> field -> bilinear(kind.spec(), field, 0, 0);
      case FOUR_RUSSIANS -> plain(kind, fourRussians());
      case LOOP_TILE -> plain(kind, loopTile());
    };
  }

  private static KernelFactory plain(ProductVariant kind, RowProduct product) {
    return field -> new RowKernel(kind.spec(), _ -> product, field);
  }

  private RowProduct loopTile() {
    GridStrideKernel kernel =
        modules.kernel("product_loops", "product_loop_tile", THREADS, 0, WAVES);
    return new RowProduct(kernel, EIGHT_ROWS, VECTOR, false);
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

  /** Returns the fastest tensor kernel if long sums occur; it also multiplies short ones. */
  CudaProductKernel longSums(FieldTables field) {
    return bilinear(ProductVariant.TENSOR.spec(), field, MIN_PLANE_SOURCES, MIN_PLANE_SIDE);
  }

  /** Returns whether this GPU supports {@link #longSums}. */
  boolean hasLongSums() {
    return hasWarpgroups;
  }

  /**
   * Returns the kernel that computes a {@link BilinearFormula}; it requires {@link #hasLongSums}.
   */
  GridStrideKernel bilinearFormula() {
    return modules.kernel("product_bilinear", "bilinear_formula", WARP, 0, 1);
  }

  private BilinearKernel bilinear(String name, FieldTables field, int minSources, int minSide) {
    TensorKernel tiles = tensor(ProductVariant.TENSOR, field);
    return new BilinearKernel(name, planes(), tiles, field, minSources, minSide);
  }

  private synchronized BilinearKernel.Programs planes() {
    BilinearKernel.Programs found = planes.orElseGet(() -> BilinearKernel.Programs.find(modules));
    planes = Optional.of(found);
    return found;
  }

  private TensorKernel tensor(ProductVariant kind, FieldTables field) {
    return new TensorKernel(tensorPrograms(kind), field);
  }

  private TensorKernel.Programs tensorPrograms(ProductVariant kind) {
    return tensors.computeIfAbsent(kind, this::findTensorPrograms);
  }

  private TensorKernel.Programs findTensorPrograms(ProductVariant kind) {
    TensorKernel.Multiplier multiplier =
        kind == ProductVariant.TENSOR && hasWarpgroups
            ? TensorKernel.Warpgroups.find(modules)
            : TensorKernel.Warps.find(modules, multiprocessorShared);
    return TensorKernel.Programs.find(kind.spec(), modules, multiplier);
  }
}
