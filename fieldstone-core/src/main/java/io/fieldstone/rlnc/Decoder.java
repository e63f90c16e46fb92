package io.fieldstone.rlnc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ProgressiveElimination;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Decodes one generation while it arrives, by an engine's {@link ProgressiveElimination}. Source
 * blocks that are solved can be read at any time, before the generation is complete. Blocks may
 * come from any encoder or recoder of the generation, whatever their code, in any order, and more
 * than once.
 *
 * <p>With a pipeline code (HPDS, Sec. 3.1) frames are solved in order as they arrive: {@link
 * #deliverable()}.
 *
 * <p>For one thread at a time. The engine stays the caller's, and must outlive the decoder.
 */
public final class Decoder implements AutoCloseable {

  private final GenerationShape shape;
  private final ProgressiveElimination received;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment vector;
  private long generation;
  private int deliverable;

  /**
   * @param engine eliminates and multiplies, and keeps the payloads
   * @param shape n, k, field, and the code that seeded vectors are drawn by
   * @param generation number of the generation, 0 ≤ generation &lt; 2^32
   * @throws IllegalArgumentException if the number is out of range
   */
  public Decoder(Engine engine, GenerationShape shape, long generation) {
    Code.requireCounter("generation", generation);
    this.shape = shape;
    this.generation = generation;
    this.received = engine.progressive(shape.field(), shape.blocks(), shape.blockSize());
    this.vector = arena.allocate(shape.blocks(), Long.BYTES);
  }

  /**
   * Forgets everything and turns to another generation of the same shape, in the same memory: much
   * cheaper than a new decoder where generations are small.
   *
   * @param generation number of the generation, {@code 0 ≤ generation < 2^32}
   * @throws IllegalArgumentException if the number is out of range
   */
  public void reset(long generation) {
    Code.requireCounter("generation", generation);
    this.generation = generation;
    deliverable = 0;
    received.clear();
  }

  /** The shape of the generation. */
  public GenerationShape shape() {
    return shape;
  }

  /** The number of the generation. */
  public long generation() {
    return generation;
  }

  /**
   * Takes a block; it is copied.
   *
   * @return whether it was innovative; if not, nothing has changed
   * @throws IllegalArgumentException if it is of another generation, its payload is not k bytes, or
   *     its vector does not fit n blocks
   */
  public boolean add(CodedBlock block) {
    if (block.generation() != generation) {
      throw new IllegalArgumentException(
          "a block of generation " + block.generation() + " for generation " + generation);
    }
    shape.requirePayload(block.payload());
    block.vector().expand(shape.code(), generation, vector);
    return !isComplete() && received.add(vector, block.payload());
  }

  /** How many independent blocks have been added. */
  public int rank() {
    return received.rank();
  }

  /**
   * Whether a block with this vector would be innovative; changes nothing.
   *
   * @throws IllegalArgumentException if the vector does not fit n blocks
   */
  public boolean isInnovative(CodingVector vector) {
    vector.expand(shape.code(), generation, this.vector);
    return !isComplete() && received.isInnovative(this.vector);
  }

  /** Whether the rank is n: every source block is solved. */
  public boolean isComplete() {
    return received.rank() == shape.blocks();
  }

  /**
   * Whether source block {@code source} can be read.
   *
   * @throws IndexOutOfBoundsException if there is no such block
   */
  public boolean isSolved(int source) {
    return received.isSolved(source);
  }

  /** How many source blocks can be read. */
  public int solvedCount() {
    return received.solved();
  }

  /**
   * How many leading source blocks are solved: 0 … {@code deliverable() − 1} can be handed on in
   * order. Never falls.
   */
  public int deliverable() {
    while (deliverable < shape.blocks() && received.isSolved(deliverable)) {
      deliverable++;
    }
    return deliverable;
  }

  /**
   * Writes one source block.
   *
   * @param destination k bytes
   * @throws IllegalStateException if the block is not solved yet
   * @throws IndexOutOfBoundsException if there is no such block
   * @throws IllegalArgumentException if the destination has another size
   */
  public void read(int source, MemorySegment destination) {
    shape.requirePayload(destination);
    read(source, ByteMatrices.of(destination, 1, shape.blockSize()));
  }

  /**
   * Writes source blocks {@code first}, {@code first + 1}, …: those that arrived as they are get
   * copied, the others made with one product.
   *
   * @param destination one matrix of m×k bytes, overwritten
   * @throws IllegalStateException if one of the blocks is not solved yet; then nothing is written
   * @throws IndexOutOfBoundsException if there are not so many blocks
   * @throws IllegalArgumentException if the destination has another shape
   */
  public void read(int first, ByteMatrices destination) {
    int m = destination.rows();
    shape.requirePayloads("destination", destination, 1, m);
    Objects.checkFromIndexSize(first, m, shape.blocks());
    for (int source = first; source < first + m; source++) {
      if (!received.isSolved(source)) {
        throw new IllegalStateException(
            "source block %d of generation %d is not solved: rank %d of %d"
                .formatted(source, generation, rank(), shape.blocks()));
      }
    }
    received.read(first, destination);
  }

  /**
   * Writes the whole generation.
   *
   * @param destination n·k bytes; if the source was shorter, zeros follow it
   * @throws IllegalStateException if the generation is not complete; then nothing is written
   * @throws IllegalArgumentException if the destination has another size
   */
  public void decode(MemorySegment destination) {
    if (destination.byteSize() != shape.bytes()) {
      throw new IllegalArgumentException(
          "%d bytes of memory for a generation of %d blocks of %d bytes"
              .formatted(destination.byteSize(), shape.blocks(), shape.blockSize()));
    }
    read(0, ByteMatrices.of(destination, shape.blocks(), shape.blockSize()));
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
      received.close();
    }
  }
}
