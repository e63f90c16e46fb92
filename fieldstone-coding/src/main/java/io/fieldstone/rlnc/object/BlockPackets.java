package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Writes the coded blocks of a stream as data packets, and reads them (docs/format.md, "Packets").
 * A header has at most {@value Packet#MAX_HEADER_BYTES} bytes, because both ends know the shape and
 * the seed. A recoded block carries its n coefficients too.
 *
 * {@snippet :
 * BlockPackets packets = new BlockPackets(shape, seed, 0);
 * int bytes = packets.write(encoder.next(), packet);
 * decoder.add(packets.read(packet.asSlice(0, bytes)));
 * }
 *
 * <p>A packet has no checksum: carriers such as UDP and QUIC have one. For one thread at a time.
 */
public final class BlockPackets {

  /** The exclusive bound of generations and indices, so that one takes at most 4 bytes. */
  public static final int MAX_INDICES = Packet.MAX_INDICES;

  private final GenerationShape shape;
  private final long seed;
  private final int alias;
  private final VarintWriter writer = new VarintWriter();
  private final Packet.Header header = new Packet.Header();
  private int sequence;

  /**
   * Creates the packets of a stream.
   *
   * @param shape n, k, field and code of all generations
   * @param seed the seed of the encoder; recoded blocks have none
   * @param alias the number of the stream, 0 … {@link Packet#MAX_ALIASES} − 1
   * @throws IllegalArgumentException if the alias is out of range
   */
  public BlockPackets(GenerationShape shape, long seed, int alias) {
    this.shape = shape;
    this.seed = seed;
    this.alias = Packet.requireAlias(alias);
  }

  /** Returns the bytes of memory that any packet fits. */
  public int maxBytes() {
    return Packet.maxBytes(shape.blocks(), shape.blockSize());
  }

  /**
   * Writes a block.
   *
   * @param packet at least {@link #maxBytes} bytes
   * @return the bytes of the packet
   * @throws IllegalArgumentException if the packet is too small, the block does not fit the shape,
   *     its seed is not that of the stream, or its generation or index is not less than {@link
   *     #MAX_INDICES}
   */
  public int write(CodedBlock block, MemorySegment packet) {
    if (packet.byteSize() < maxBytes()) {
      throw new IllegalArgumentException(
          "%d bytes for a packet of up to %d".formatted(packet.byteSize(), maxBytes()));
    }
    if (block.payload().byteSize() != shape.blockSize()) {
      throw new IllegalArgumentException(
          "a payload of %d bytes where blocks have %d"
              .formatted(block.payload().byteSize(), shape.blockSize()));
    }
    switch (block.vector()) {
      case CodingVector.Source(int index) -> start(packet, Packet.SOURCE, block, index);
      case CodingVector.Seeded(long _, long index) -> startSeeded(packet, block, index);
      case CodingVector.Pipelined(int _, long _, long index) -> startSeeded(packet, block, index);
      case CodingVector.Explicit explicit -> {
        start(packet, Packet.EXPLICIT, block, 0);
        int n = shape.blocks();
        explicit.expand(shape.code(), block.generation(), packet, writer.position(), n);
        writer.skip(n);
      }
    }
    MemorySegment.copy(block.payload(), 0, packet, writer.position(), shape.blockSize());
    sequence++;
    return (int) writer.position() + shape.blockSize();
  }

  /** Writes a block to a buffer from its position on, which is behind the packet then. */
  public int write(CodedBlock block, ByteBuffer packet) {
    int bytes = write(block, MemorySegment.ofBuffer(packet));
    packet.position(packet.position() + bytes);
    return bytes;
  }

  private void startSeeded(MemorySegment packet, CodedBlock block, long index) {
    if (!block.vector().equals(CodingVector.of(shape, seed, index))) {
      throw new IllegalArgumentException(
          "the coding vector is not that of block %d of a stream with seed %d"
              .formatted(index, seed));
    }
    start(packet, Packet.SEEDED, block, index);
  }

  private void start(MemorySegment packet, int kind, CodedBlock block, long index) {
    requireBelow("generation", block.generation());
    requireBelow("index", index);
    writer.start(packet);
    Packet.writeHeader(writer, kind, alias, sequence, (int) block.generation());
    if (kind != Packet.EXPLICIT) {
      writer.writeVarint(index);
    }
  }

  private static void requireBelow(String name, long value) {
    if (value >= MAX_INDICES) {
      throw new IllegalArgumentException(
          "%s %d is not less than %d".formatted(name, value, MAX_INDICES));
    }
  }

  /**
   * Reads a block, whose memory is that of the packet.
   *
   * @throws MalformedDataException if the packet is not a block of this stream
   */
  public CodedBlock read(MemorySegment packet) throws MalformedDataException {
    int read = Packet.alias(packet);
    if (read != alias) {
      throw new MalformedDataException(1, "alias %d, not %d".formatted(read, alias));
    }
    header.read(packet, MAX_INDICES);
    int n = shape.blocks();
    int k = shape.blockSize();
    header.requireBody(packet, header.kind == Packet.EXPLICIT ? n + k : k);
    CodingVector vector =
        switch (header.kind) {
          case Packet.SOURCE -> new CodingVector.Source(requireSource(header.index, n));
          case Packet.SEEDED -> CodingVector.of(shape, seed, header.index);
          default -> new CodingVector.Explicit(packet.asSlice(header.bodyAt, n));
        };
    return new CodedBlock(header.generation, vector, packet.asSlice(packet.byteSize() - k));
  }

  private int requireSource(int index, int n) throws MalformedDataException {
    if (index >= n) {
      throw new MalformedDataException(header.bodyAt, "source block %d of %d".formatted(index, n));
    }
    return index;
  }

  /**
   * Reads a block from the remaining bytes of a buffer, whose memory the block has, and whose
   * position is its limit then.
   */
  public CodedBlock read(ByteBuffer packet) throws MalformedDataException {
    CodedBlock block = read(MemorySegment.ofBuffer(packet));
    packet.position(packet.limit());
    return block;
  }
}
