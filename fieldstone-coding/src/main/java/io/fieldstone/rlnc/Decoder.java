package io.fieldstone.rlnc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.engine.memory.Allocations;
import io.fieldstone.engine.memory.CountedArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Decodes one generation as its blocks arrive, with an engine's {@link ProgressiveElimination}.
 * Solved source blocks can be read at any time. Blocks of any code may come from any encoder or
 * recoder of the generation, in any order, and repeatedly.
 *
 * {@snippet :
 * try (Decoder decoder = new Decoder(engine, shape, generation)) {
 *   while (!decoder.isComplete()) {
 *     decoder.add(receive());
 *   }
 *   decoder.decode(destination);
 * }
 * }
 *
 * <p>A pipeline code (HPDS, Sec. 3.1) solves frames in order as they arrive: see {@link
 * #deliverable()}.
 *
 * <p>For one thread at a time. The caller owns the engine, which must stay open until the decoder
 * is closed.
 */
public final class Decoder implements AutoCloseable {

  private final GenerationShape shape;
  private final ProgressiveElimination received;
  private final Arena arena = new CountedArena();
  private final MemorySegment vector;
  private long generation;
  private int deliverable;

  /**
   * Creates a decoder.
   *
   * @param engine performs the elimination and keeps the payloads
   * @param shape n, k, field, and the code that generates seeded vectors
   * @param generation the number of the generation, 0 ≤ generation &lt; 2^32
   * @throws IllegalArgumentException if the number is out of range
   */
  public Decoder(Engine engine, GenerationShape shape, long generation) {
    engine.requireOpen();
    Code.requireCounter("generation", generation);
    this.shape = shape;
    this.generation = generation;
    this.received = engine.progressive(shape.field(), shape.blocks(), shape.blockSize());
    this.vector =
        Allocations.next(() -> arena.allocate(shape.blocks(), Long.BYTES), received::close);
  }

  /**
   * Removes all blocks and starts another generation of the same shape in the same memory. For
   * small generations this is much faster than a new decoder.
   *
   * @param generation the number of the generation, {@code 0 ≤ generation < 2^32}
   * @throws IllegalArgumentException if the number is out of range
   */
  public void reset(long generation) {
    Code.requireCounter("generation", generation);
    this.generation = generation;
    deliverable = 0;
    received.clear();
  }

  /** Returns the shape of the generation. */
  public GenerationShape shape() {
    return shape;
  }

  /** Returns the number of the generation. */
  public long generation() {
    return generation;
  }

  /**
   * Adds a block, which is copied.
   *
   * @return true if it was innovative; otherwise the decoder is unchanged
   * @throws IllegalArgumentException if it is of another generation, its payload is not k bytes, or
   *     its vector does not fit n blocks
   */
  public boolean add(CodedBlock block) {
    if (block.generation() != generation) {
      throw new IllegalArgumentException(
          "block of generation " + block.generation() + ", expected generation " + generation);
    }
    shape.requirePayload(block.payload());
    block.vector().expand(shape.code(), generation, vector);
    return !isComplete() && received.add(vector, block.payload());
  }

  /**
   * Adds a block whose payload is the remaining bytes of a buffer, on or off the heap. Then the
   * position of the buffer is its limit.
   *
   * @see #add(CodedBlock)
   */
  public boolean add(CodingVector vector, ByteBuffer payload) {
    boolean isInnovative = add(new CodedBlock(generation, vector, MemorySegment.ofBuffer(payload)));
    payload.position(payload.limit());
    return isInnovative;
  }

  /**
   * Adds a block whose payload is an array.
   *
   * @see #add(CodedBlock)
   */
  public boolean add(CodingVector vector, byte[] payload) {
    return add(new CodedBlock(generation, vector, MemorySegment.ofArray(payload)));
  }

  /** Returns the number of independent blocks added. */
  public int rank() {
    return received.rank();
  }

  /**
   * Returns true if a block with this vector would be innovative; changes no state.
   *
   * @throws IllegalArgumentException if the vector does not fit n blocks
   */
  public boolean isInnovative(CodingVector vector) {
    vector.expand(shape.code(), generation, this.vector);
    return !isComplete() && received.isInnovative(this.vector);
  }

  /** Returns true if the rank is n, so that every source block is solved. */
  public boolean isComplete() {
    return received.rank() == shape.blocks();
  }

  /**
   * Returns true if source block {@code source} can be read.
   *
   * @throws IndexOutOfBoundsException if {@code source} is not in 0 … n − 1
   */
  public boolean isSolved(int source) {
    return received.isSolved(source);
  }

  /** Returns the number of source blocks that can be read. */
  public int solvedCount() {
    return received.solved();
  }

  /**
   * Returns the number of leading source blocks that are solved: blocks 0 … {@code deliverable() −
   * 1} can be delivered in order. It never decreases.
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
   * @throws IllegalStateException if the block is not solved
   * @throws IndexOutOfBoundsException if {@code source} is not in 0 … n − 1
   * @throws IllegalArgumentException if the destination has another size
   */
  public void read(int source, MemorySegment destination) {
    shape.requirePayload(destination);
    read(source, ByteMatrices.of(destination, 1, shape.blockSize()));
  }

  /**
   * Writes one source block to the remaining k bytes of a buffer, whose position is its limit then.
   *
   * @see #read(int, MemorySegment)
   */
  public void read(int source, ByteBuffer destination) {
    read(source, MemorySegment.ofBuffer(destination));
    destination.position(destination.limit());
  }

  /**
   * Writes one source block to an array of k bytes.
   *
   * @see #read(int, MemorySegment)
   */
  public void read(int source, byte[] destination) {
    read(source, MemorySegment.ofArray(destination));
  }

  /**
   * Writes source blocks {@code first}, {@code first + 1}, …; blocks that arrived uncoded are
   * copied, the others computed with one product.
   *
   * @param destination one matrix of m×k bytes, overwritten
   * @throws IllegalStateException if a block is not solved; the destination is then unchanged
   * @throws IndexOutOfBoundsException if the range exceeds n blocks
   * @throws IllegalArgumentException if the destination has another shape
   */
  public void read(int first, ByteMatrices destination) {
    int m = destination.rows();
    shape.requirePayloads("destination", destination, 1, m);
    Objects.checkFromIndexSize(first, m, shape.blocks());
    requireSolved(first, m);
    received.read(first, destination);
  }

  private void requireSolved(int first, int count) {
    for (int source = first; source < first + count; source++) {
      if (!received.isSolved(source)) {
        throw new IllegalStateException(
            "source block %d of generation %d is not solved: rank %d of %d"
                .formatted(source, generation, rank(), shape.blocks()));
      }
    }
  }

  /**
   * Writes all source blocks, or their beginning: as many bytes as the destination has, such as
   * those of a short last generation.
   *
   * @param destination at most n·k bytes; a shorter source is followed by zeros
   * @throws IllegalStateException if one of these blocks is not solved; the destination is then
   *     unchanged
   * @throws IllegalArgumentException if the destination has more than n·k bytes
   */
  public void decode(MemorySegment destination) {
    long bytes = destination.byteSize();
    int k = shape.blockSize();
    if (bytes > shape.bytes()) {
      throw new IllegalArgumentException(
          "%d bytes of memory are more than a generation of %d blocks of %d bytes has"
              .formatted(bytes, shape.blocks(), k));
    }
    requireSolved(0, (int) Math.ceilDiv(bytes, k));
    int whole = (int) (bytes / k);
    if (whole > 0) {
      read(0, ByteMatrices.of(destination.asSlice(0, (long) whole * k), whole, k));
    }
    long rest = bytes - (long) whole * k;
    if (rest > 0) {
      MemorySegment block = MemorySegment.ofArray(new byte[k]);
      read(whole, block);
      MemorySegment.copy(block, 0, destination, bytes - rest, rest);
    }
  }

  /**
   * Writes the source blocks to the remaining bytes of a buffer, at most n·k, whose position is its
   * limit then.
   *
   * @see #decode(MemorySegment)
   */
  public void decode(ByteBuffer destination) {
    decode(MemorySegment.ofBuffer(destination));
    destination.position(destination.limit());
  }

  /**
   * Writes the source blocks to an array of at most n·k bytes.
   *
   * @see #decode(MemorySegment)
   */
  public void decode(byte[] destination) {
    decode(MemorySegment.ofArray(destination));
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
