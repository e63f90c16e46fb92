package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.NamedVariant;
import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.ProductKernelChoice;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.coding.RowKernel;
import io.fieldstone.cuda.coding.RowProduct;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import java.util.function.Function;

/** The products of Nuclei on a GPU: {@code nuclei_loops.cu} and {@code product_tables.cu}. */
enum PaperProducts implements NamedVariant {
  /** Fig. 4 of the paper with statement (7a). */
  LOOP_WORD("loop-word", "shift and add, four bytes at a time (Nuclei, Fig. 4, 7a)"),
  /** The form before Fig. 4, with conditions. */
  LOOP_WORD_BRANCH("loop-word-branch", "shift and add with conditions (Nuclei, Sec. IV-B)"),
  /** Fig. 4 with statement (7b). */
  LOOP_WORD_24("loop-word-24", "shift and add, 24-bit multiplication (Nuclei, Fig. 4, 7b)"),
  /** A thread per word, which reads coefficients one at a time. */
  LOOP_WORD_BYTEWISE(
      "loop-word-bytewise", "shift and add, one coefficient at a time (Nuclei, Sec. IV-E 1)"),
  /** A thread per coded block. */
  LOOP_WORD_COARSE(
      "loop-word-coarse", "shift and add, a thread per coded block (Nuclei, Sec. IV-E 1)"),
  /** Fig. 3 of the paper. */
  LOOP_BYTE("loop-byte", "shift and add, a byte at a time (Nuclei, Fig. 3)"),
  /** Log and exp tables with three look-ups per product, a copy of them per lane. */
  TABLE("table", "log and exp tables in shared memory, a copy per lane (Nuclei, Sec. V-C)"),
  /** The same with one copy of the tables. */
  TABLE_PLAIN("table-plain", "log and exp tables in shared memory (Nuclei, Sec. V-C)"),
  /** The log domain with one look-up per product, a copy of the table per lane. */
  TABLE_LOG("table-log", "tables in the log domain, a copy per lane (Nuclei, Sec. V-C)"),
  /** The same with one copy of the table, and a thread per word. */
  TABLE_LOG_PLAIN("table-log-plain", "tables in the log domain (Nuclei, Sec. V-C)");

  private static final String LOOPS = "nuclei_loops";
  private static final String TABLES = "product_tables";

  private static final int THREADS = 256;

  /** The blocks per resident block of kernels without a prologue. */
  private static final int WAVES = 4;

  /** Threads and shared memory of {@code product_table}: 32 copies of exp and of log. */
  private static final int TABLE_THREADS = 512;

  private static final int TABLE_SHARED = 48 << 10;

  /** Shared memory of {@code product_table_plain}: one copy of each. */
  private static final int PLAIN_TABLE_SHARED = 1536;

  /** Shared memory of {@code product_table_log}: 32 copies of exp. */
  private static final int LOG_SHARED = 32 << 10;

  /** Shared memory of {@code product_table_log_plain}: one copy of exp. */
  private static final int PLAIN_LOG_SHARED = 1 << 10;

  private static final int EIGHT_ROWS = 8;
  private static final int WORD = 4;

  /** The columns of a thread that computes whole rows. */
  private static final int WHOLE_ROW = Integer.MAX_VALUE;

  private final String spec;
  private final String description;

  PaperProducts(String spec, String description) {
    this.spec = spec;
    this.description = description;
  }

  @Override
  public String spec() {
    return spec;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public ProductKernelChoice products(ProductKernels kernels) {
    return new ProductKernelChoice.Named(kernels, description, find(kernels.gpu().modules()));
  }

  private Function<FieldTables, CudaProductKernel> find(KernelModules modules) {
    return switch (this) {
      case LOOP_WORD -> plain(loop(modules, "product_loop_word", WORD));
      case LOOP_WORD_BRANCH -> plain(loop(modules, "product_loop_word_branch", WORD));
      case LOOP_WORD_24 -> plain(loop(modules, "product_loop_word_24", WORD));
      case LOOP_WORD_BYTEWISE -> plain(loop(modules, "product_loop_word_bytewise", WORD));
      case LOOP_WORD_COARSE -> plain(loop(modules, "product_loop_word_coarse", WHOLE_ROW));
      case LOOP_BYTE -> plain(loop(modules, "product_loop_byte", 1));
      case TABLE -> plain(table(modules, "product_table", TABLE_SHARED));
      case TABLE_PLAIN -> plain(table(modules, "product_table_plain", PLAIN_TABLE_SHARED));
      case TABLE_LOG -> {
        GridStrideKernel kernel =
            modules.kernel(TABLES, "product_table_log", THREADS, LOG_SHARED, 1);
        RowProduct product = new RowProduct(kernel, EIGHT_ROWS, WORD, false);
        yield logDomain(modules, product, "coefficients_to_log", Short.BYTES);
      }
      case TABLE_LOG_PLAIN -> {
        RowProduct product = table(modules, "product_table_log_plain", PLAIN_LOG_SHARED);
        yield logDomain(modules, product, "sources_to_log", Byte.BYTES);
      }
    };
  }

  private Function<FieldTables, CudaProductKernel> plain(RowProduct product) {
    return field -> new RowKernel(spec, _ -> product, field);
  }

  private static RowProduct loop(KernelModules modules, String name, int tileColumns) {
    return new RowProduct(modules.kernel(LOOPS, name, THREADS, 0, WAVES), 1, tileColumns, false);
  }

  private static RowProduct table(KernelModules modules, String name, int sharedBytes) {
    GridStrideKernel kernel = modules.kernel(TABLES, name, TABLE_THREADS, sharedBytes, 1);
    return new RowProduct(kernel, 1, WORD, false);
  }

  private Function<FieldTables, CudaProductKernel> logDomain(
      KernelModules modules, RowProduct product, String coefficientsToLog, int logBytes) {
    LogKernel.Programs programs =
        new LogKernel.Programs(
            spec,
            product,
            logConversion(modules, "sources_to_log"),
            logConversion(modules, "sources_from_log"),
            logConversion(modules, coefficientsToLog),
            logBytes);
    return field -> new LogKernel(programs, field);
  }

  private static GridStrideKernel logConversion(KernelModules modules, String name) {
    return modules.kernel(TABLES, name, THREADS, 0, WAVES);
  }
}
