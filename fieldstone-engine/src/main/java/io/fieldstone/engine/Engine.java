package io.fieldstone.engine;

import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.PolynomialSieve;
import io.fieldstone.engine.coding.BlockMemory;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.hashes.Hashing;
import io.fieldstone.engine.memory.Allocations;
import io.fieldstone.engine.memory.ByteMemory;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.memory.PlainHostMemory;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.Sorts;
import io.fieldstone.engine.stars.Stars;
import io.fieldstone.engine.terrain.LinesOfSight;
import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WalshCounts;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightTransforms;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Runs compute-intensive loops on the cores of this machine, on a GPU, or on several of them. Any
 * number of engines can be open at the same time; close each of them.
 *
 * {@snippet :
 * try (Engine engine = Engine.open("auto")) {
 *   Sorting sorting = engine.sorts().sorting(RecordFormat.of(KeyType.U32));
 *   sorting.sort(MemorySegment.ofArray(keys));
 * }
 * }
 *
 * <p>Ports are thread-safe. The objects that an engine returns ({@link ResidentBlocks}, {@link
 * ResidentBytes}, {@link io.fieldstone.engine.stars.StarSearch}, {@link
 * io.fieldstone.engine.coding.Basis}, {@link io.fieldstone.engine.coding.Substitution}, {@link
 * ProgressiveElimination}, {@link HostMemory}) belong to the caller. Each is for one thread at a
 * time unless its documentation says otherwise, and must be closed before the engine. An engine
 * that closes frees the memory of those that are still open, but for {@link HostMemory}; calls that
 * use it end before. They must not be used then. The cores also free it once nothing refers to
 * them: that is late, so close them.
 *
 * <p>An engine has one or more ports. A method that needs another one throws {@link
 * MissingPortException}. Constructors and factories that take an engine throw an {@link
 * IllegalStateException} if it is closed.
 */
public interface Engine extends AutoCloseable {

  /**
   * Opens an engine by name with default options.
   *
   * @param spec {@code auto}, {@code cpu}, {@code cpu:scalar}, … as listed by {@link #available()};
   *     engines joined by {@code +} share each job
   * @throws IllegalArgumentException if no engine has that name or it is not available on this
   *     machine; the message gives the reason
   * @throws EngineFailedException if the engine is present but fails to open; {@code auto} logs a
   *     warning instead and opens the next engine
   */
  static Engine open(String spec) {
    return open(spec, EngineOptions.DEFAULT);
  }

  /**
   * Opens an engine by name.
   *
   * @see #open(String)
   */
  static Engine open(String spec, EngineOptions options) {
    return EngineDirectory.open(spec, options);
  }

  /**
   * Returns the engines of all providers on the class path, available or not, fastest first,
   * followed by recommended combinations.
   */
  static List<EngineStatus> available() {
    return EngineDirectory.list();
  }

  /** Returns the fastest hashing on the processors, which needs no open engine. */
  static Hashing hashing() {
    return EngineDirectory.hashing();
  }

  /** Returns the name that opens this engine, for example {@code cpu:scalar}. */
  String spec();

  /** Returns the kind of hardware that this engine runs on. */
  EngineKind kind();

  /** Returns a one-line description of the hardware: instruction set, vector width, threads. */
  String description();

  /** Returns the name and the description of this engine, for the end of a result line. */
  default String summary() {
    return "%s (%s)".formatted(spec(), description());
  }

  /**
   * Returns the number of threads that a job with this engine uses for its own work: reading,
   * hashing, writing. By default, one per processor.
   */
  default int threads() {
    return Runtime.getRuntime().availableProcessors();
  }

  /**
   * Calls a body in which this engine computes on the calling thread alone, if it computes on
   * threads of this machine. For jobs that keep {@link #threads} threads busy themselves. By
   * default, only calls the body.
   *
   * @return the result of the body
   * @throws X if the body throws it
   */
  default <T, X extends Throwable> T onCallingThread(ScopedValue.CallableOp<? extends T, X> body)
      throws X {
    return body.call();
  }

  /**
   * Returns a port by its type, or empty if this engine does not have it. An engine implements this
   * method only, with {@link Ports}; those below find the ports of the library.
   *
   * @param port the interface, for example {@code Sorts.class}
   */
  <P> Optional<P> find(Class<P> port);

  private <P> P require(Class<P> port) {
    Optional<P> found = find(port);
    if (found.isEmpty()) {
      throw new MissingPortException(spec(), port);
    }
    return found.get();
  }

  /** Returns the port for matrix products. */
  default Products products() {
    return require(Products.class);
  }

  /** Returns the port for elimination. */
  default Eliminations eliminations() {
    return require(Eliminations.class);
  }

  /** Returns the port for substitution. */
  default Substitutions substitutions() {
    return require(Substitutions.class);
  }

  /** Returns the port that counts words by weight. */
  default WeightCounts weightCounts() {
    return require(WeightCounts.class);
  }

  /** Returns the port that counts pairs of words by joint weight. */
  default PairCounts pairCounts() {
    return require(PairCounts.class);
  }

  /** Returns the port that computes joint weight distributions by transforms. */
  default WeightTransforms weightTransforms() {
    return require(WeightTransforms.class);
  }

  /** Returns the port that finds light sums of few rows. */
  default LightSums lightSums() {
    return require(LightSums.class);
  }

  /** Returns the port that tries random information sets. */
  default InformationSetTrials informationSetTrials() {
    return require(InformationSetTrials.class);
  }

  /** Returns the port for checksums. */
  default Checksums checksums() {
    return require(Checksums.class);
  }

  /** Returns the port that counts the words of long codes. */
  default WalshCounts walshCounts() {
    return require(WalshCounts.class);
  }

  /** Returns the port that sieves generator polynomials. */
  default PolynomialSieve polynomialSieve() {
    return require(PolynomialSieve.class);
  }

  /** Returns the port for sorting. */
  default Sorts sorts() {
    return require(Sorts.class);
  }

  /** Returns the port for the 3-star search. */
  default Stars stars() {
    return require(Stars.class);
  }

  /** Returns the port for lines of sight over terrain. */
  default LinesOfSight linesOfSight() {
    return require(LinesOfSight.class);
  }

  /**
   * Creates an elimination of a system of n blocks of k bytes, whose rows arrive one at a time. By
   * default, a {@link io.fieldstone.engine.coding.Basis} eliminates the vectors, and payloads are
   * kept in resident memory.
   *
   * @throws IllegalArgumentException if n or k is less than 1
   */
  default ProgressiveElimination progressive(Gf256 field, int n, int k) {
    CodingPreconditions.requireAtLeastOne(n, k);
    ResidentBlocks payloads = allocate(field, 1, n, k); // first: it is more likely to fail
    return ProgressiveElimination.byBasis(
        Allocations.next(() -> eliminations().basis(field, n), payloads::close), payloads);
  }

  /**
   * Allocates zeroed engine memory for {@code count} matrices of {@code rows}×{@code columns}
   * bytes, in the layout that this engine multiplies fastest.
   *
   * @throws IllegalArgumentException if a dimension is negative
   */
  default ResidentBlocks allocate(Gf256 field, long count, int rows, int columns) {
    return require(BlockMemory.class).allocate(field, count, rows, columns);
  }

  /**
   * Allocates engine memory and copies {@code blocks} into it; the source may be freed afterwards.
   */
  default ResidentBlocks load(Gf256 field, ByteMatrices blocks) {
    ResidentBlocks resident = allocate(field, blocks.count(), blocks.rows(), blocks.columns());
    return Allocations.next(
        () -> {
          resident.store(blocks);
          return resident;
        },
        resident::close);
  }

  /**
   * Allocates zeroed engine memory for plain bytes.
   *
   * @param bytes the size, ≥ 0
   * @throws IllegalArgumentException if the size is negative
   */
  default ResidentBytes allocateBytes(long bytes) {
    return require(ByteMemory.class).allocate(bytes);
  }

  /**
   * Allocates engine memory and copies {@code bytes} into it; the source may be freed afterwards.
   */
  default ResidentBytes loadBytes(MemorySegment bytes) {
    ResidentBytes resident = allocateBytes(bytes.byteSize());
    return Allocations.next(
        () -> {
          resident.store(0, bytes);
          return resident;
        },
        resident::close);
  }

  /**
   * Allocates zeroed host memory that this engine transfers fastest, for large buffers in frequent
   * use.
   *
   * @param bytes the size, ≥ 0
   * @throws IllegalArgumentException if the size is negative
   * @throws OutOfMemoryError if there is not enough memory
   */
  default HostMemory allocateHost(long bytes) {
    return new PlainHostMemory(bytes);
  }

  /**
   * Waits until code is compiled and tables are built, so that the engine runs at full speed over
   * {@code field}. Only measurements need this call.
   */
  default void warmUp(Gf256 field) {}

  /**
   * Checks that this engine is open. Constructors and factories that take an engine call it. By
   * default, does nothing.
   *
   * @throws IllegalStateException if it is closed
   */
  default void requireOpen() {}

  /** Releases threads and memory. Idempotent. */
  @Override
  void close();
}
