package io.fieldstone.engine;

import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.memory.PlainHostMemory;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.Sorts;
import io.fieldstone.engine.stars.Stars;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightTransforms;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Something that runs Fieldstone's heavy loops: the cores of this machine, a GPU, or several of
 * them. An engine is a value: open as many as you like, side by side, and close each.
 *
 * <p>Ports are safe for use by several threads at once. What an engine hands out ({@link
 * ResidentBlocks}, {@link ResidentBytes}, {@link io.fieldstone.engine.stars.StarSearch}, {@link
 * io.fieldstone.engine.coding.Basis}, {@link io.fieldstone.engine.coding.Substitution}, {@link
 * ProgressiveElimination}, {@link HostMemory}) belongs to the caller, is for one thread at a time
 * unless its documentation says otherwise, and must be closed before the engine.
 */
public interface Engine extends AutoCloseable {

  /**
   * Opens the engine that {@code spec} names with default options.
   *
   * @param spec {@code auto}, {@code cpu}, {@code cpu:scalar}, … ({@link #available()} lists what
   *     this machine has); several joined by {@code +} work at each job together
   * @throws IllegalArgumentException if no engine of that name exists or it is not available here;
   *     the message says why
   * @throws EngineFailedException if the engine is here but does not open; {@code auto} tries
   *     others then, and warns
   */
  static Engine open(String spec) {
    return open(spec, EngineOptions.DEFAULT);
  }

  /** As {@link #open(String)}, with options. */
  static Engine open(String spec, EngineOptions options) {
    return EngineDirectory.open(spec, options);
  }

  /**
   * Every engine the providers on the class path know, usable here or not, fastest first; then the
   * combinations of them that are worth listing.
   */
  static List<EngineStatus> available() {
    return EngineDirectory.list();
  }

  /** The name that opens this engine, e.g. {@code cpu:scalar}. */
  String spec();

  /** The hardware that it runs on. */
  EngineKind kind();

  /** What it runs on, in one line: instruction set, lane width, threads. */
  String description();

  /** Its name and what it runs on, in a few words that fit behind the result of a job. */
  default String summary() {
    return "%s (%s)".formatted(spec(), description());
  }

  /** The matrix-product port. */
  Products products();

  /** The elimination port. */
  Eliminations eliminations();

  /** The substitution port. */
  Substitutions substitutions();

  /** The port that counts words by weight. */
  WeightCounts weightCounts();

  /** The port that counts pairs of words by joint weight. */
  PairCounts pairCounts();

  /** The port that makes joint weight distributions by transforms. */
  WeightTransforms weightTransforms();

  /** The checksum port. */
  Checksums checksums();

  /** The sorting port. */
  Sorts sorts();

  /** The port of the 3-star search. */
  Stars stars();

  /**
   * Begins to reduce a system of n blocks of k bytes as its rows arrive. Unless an engine has
   * something better, vectors are eliminated by its {@link io.fieldstone.engine.coding.Basis} and
   * payloads are resident.
   *
   * @throws IllegalArgumentException if n or k is less than 1
   */
  default ProgressiveElimination progressive(Gf256 field, int n, int k) {
    CodingPreconditions.requireAtLeastOne(n, k);
    return ProgressiveElimination.byBasis(eliminations().basis(field, n), allocate(field, 1, n, k));
  }

  /**
   * Reserves zeroed engine memory, in the layout this engine multiplies fastest, for {@code count}
   * matrices of {@code rows}×{@code columns} bytes.
   *
   * @throws IllegalArgumentException if a dimension is negative
   */
  ResidentBlocks allocate(Gf256 field, long count, int rows, int columns);

  /** {@link #allocate} and copy {@code blocks} there; the source may be freed afterwards. */
  default ResidentBlocks load(Gf256 field, ByteMatrices blocks) {
    ResidentBlocks resident = allocate(field, blocks.count(), blocks.rows(), blocks.columns());
    resident.store(blocks);
    return resident;
  }

  /**
   * Reserves zeroed engine memory for plain bytes.
   *
   * @param bytes its size, ≥ 0
   * @throws IllegalArgumentException if the size is negative
   */
  ResidentBytes allocateBytes(long bytes);

  /** {@link #allocateBytes} and copy {@code bytes} there; the source may be freed afterwards. */
  default ResidentBytes loadBytes(MemorySegment bytes) {
    ResidentBytes resident = allocateBytes(bytes.byteSize());
    resident.store(0, bytes);
    return resident;
  }

  /**
   * Zeroed memory of this machine that this engine copies from and to fastest, for whatever is
   * large and meets the engine often.
   *
   * @param bytes its size, ≥ 0
   * @throws IllegalArgumentException if the size is negative
   * @throws OutOfMemoryError if there is no such memory
   */
  default HostMemory allocateHost(long bytes) {
    return new PlainHostMemory(bytes);
  }

  /**
   * Measures the limits of the hardware behind this engine, which takes seconds; empty if there is
   * nothing to say beyond what the machine's own memory and cores can do.
   */
  default List<Ceiling> ceilings() {
    return List.of();
  }

  /**
   * Returns when the engine works over {@code field} as fast as it will: code compiled, tables
   * made. Measurements call it first; nothing else has to.
   */
  default void warmUp(Gf256 field) {}

  /** Releases threads and memory. Idempotent. */
  @Override
  void close();
}
