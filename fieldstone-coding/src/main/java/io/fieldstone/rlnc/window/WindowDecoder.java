package io.fieldstone.rlnc.window;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import java.lang.foreign.MemorySegment;

/**
 * Delivers the source packets of a stream, and solves lost ones from repair symbols.
 *
 * {@snippet :
 * WindowShape shape = WindowShape.of(1316, 256 + 32);
 * try (WindowDecoder decoder =
 *     WindowDecoder.open(engine, shape, WindowCode.GF256, Delivery.IN_ORDER, 0)) {
 *   decoder.source(id, packet, sink); // sink.packet(…) for all that are now deliverable
 *   decoder.repair(repair, symbol, sink);
 *   decoder.expire(firstWanted, sink); // sink.gap(…) for what came too late
 *   send(decoder.acknowledgement());
 * }
 * }
 *
 * <p>The window is the latest w ids that a packet or symbol has shown to exist. If it moves on by
 * more than w, the ids between are lost, and decoding continues. What is delivered has arrived as
 * it is, or is the only solution of the symbols received. If those were changed on their way, a
 * solution may be wrong; the length and the padding of a symbol with framing are checked.
 *
 * <p>Memory is at most about 4·w·E + 5·w² bytes. A packet costs at most about w·E + r·E
 * multiply-accumulates, where r is the number of equations, at most the number of missing packets.
 * Those of packets that wait for one equation are spent when it arrives.
 *
 * <p>{@link #source} allocates nothing once it is compiled, unless it solves other packets. An
 * innovative symbol, and each time that packets are solved, allocate about half a kilobyte in each
 * call of {@link io.fieldstone.engine.coding.Products} of the cores. Its size does not depend on
 * the window.
 *
 * <p>For one thread at a time. The caller owns the engine, which must stay open until the decoder
 * is closed. An engine of the cores is the right one: products are too small for a GPU.
 */
public final class WindowDecoder implements AutoCloseable {

  private final WindowShape shape;
  private final WindowCode code;
  private final boolean ordered;
  private final WindowSystem system;
  private final WindowSymbols symbols;

  /** All packets below are delivered or declared lost; that with this id is not known. */
  private long next;

  private long decided;
  private long lost;
  private long late;

  private WindowDecoder(
      WindowShape shape, WindowCode code, Delivery delivery, WindowSystem system, long first) {
    this.shape = shape;
    this.code = code;
    this.ordered = delivery == Delivery.IN_ORDER;
    this.system = system;
    this.symbols = system.symbols();
    this.next = first;
  }

  /**
   * Opens a decoder.
   *
   * @param engine solves lost packets
   * @param shape the size of symbols and of the window
   * @param code the rule of the coefficients
   * @param delivery the order of delivery
   * @param first the id of the first packet that is wanted, 0 … {@value WindowShape#MAX_ID}
   * @throws IllegalArgumentException if the id is out of range
   */
  public static WindowDecoder open(
      Engine engine, WindowShape shape, WindowCode code, Delivery delivery, long first) {
    return new WindowDecoder(shape, code, delivery, new WindowSystem(engine, shape, first), first);
  }

  /** Returns the size of symbols and of the window. */
  public WindowShape shape() {
    return shape;
  }

  /**
   * Receives a source packet, which is copied.
   *
   * @param id its id, 0 … {@value WindowShape#MAX_ID}
   * @param packet 1 … {@link WindowShape#largestPacket} bytes
   * @param sink receives what is now deliverable
   * @return {@link Reception#REDUNDANT} if the packet was known, also if it had been solved
   * @throws IllegalArgumentException if the id or the size of the packet is out of range
   */
  public Reception source(long id, MemorySegment packet, PacketSink sink) {
    WindowShape.requireIds(id, 1);
    shape.requirePacket(packet);
    if (id < symbols.first()) {
      late++;
      return Reception.LATE;
    }
    extend(id + 1, sink);
    Reception reception = system.source(id, packet);
    if (reception == Reception.INNOVATIVE) {
      if (!ordered && id >= next) {
        sink.packet(id, symbols.packet(id));
      }
      deliver(sink);
    }
    return reception;
  }

  /**
   * Receives a repair symbol of an encoder.
   *
   * @param repair its description
   * @param symbol E bytes
   * @param sink receives what is now deliverable
   * @throws IllegalArgumentException if the symbol has another size, or the code no such key
   */
  public Reception repair(Repair repair, MemorySegment symbol, PacketSink sink) {
    shape.requireSymbol(symbol);
    code.requireKey(repair.key());
    if (symbols.areKnown(repair.first(), repair.end())) {
      return Reception.REDUNDANT;
    }
    return combined(repair.first(), system.vector(code, repair), symbol, sink);
  }

  /**
   * Receives a symbol with explicit coefficients, such as that of a recoder.
   *
   * @param first the id of the source packet of coefficient 0
   * @param coefficients one byte for each source packet, 1 … {@value WindowCode#MAX_COUNT}
   * @param symbol E bytes
   * @param sink receives what is now deliverable
   * @throws IllegalArgumentException if an argument is out of range
   */
  public Reception recoded(
      long first, MemorySegment coefficients, MemorySegment symbol, PacketSink sink) {
    shape.requireSymbol(symbol);
    return combined(first, system.vector(first, coefficients), symbol, sink);
  }

  private Reception combined(
      long first, ByteMatrices vector, MemorySegment symbol, PacketSink sink) {
    extend(first + vector.columns(), sink);
    Reception reception = system.combined(first, vector, symbol);
    if (reception == Reception.LATE) {
      late++;
    }
    deliver(sink);
    return reception;
  }

  /**
   * Declares the missing packets below an id lost for the application, for example because their
   * deadline has passed. They are not delivered any more. Until they leave the window they can
   * still be solved, so that repair symbols over them stay useful.
   *
   * @param firstWanted the first id that is still waited for, at most {@value WindowShape#MAX_ID}
   * @param sink receives the gaps, and what is now deliverable
   * @throws IllegalArgumentException if the id is too large
   */
  public void expire(long firstWanted, PacketSink sink) {
    if (firstWanted > next) {
      WindowShape.requireIds(firstWanted, 1);
      extend(firstWanted, sink);
      giveUp(firstWanted, sink);
    }
  }

  /** Extends the window. Packets that leave it are delivered or declared lost before. */
  private void extend(long end, PacketSink sink) {
    if (end <= symbols.end()) {
      return;
    }
    long first = system.firstAfter(end);
    giveUp(first, sink);
    for (long id = symbols.first(); id < Math.min(first, symbols.end()); id++) {
      lost += symbols.isReceived(id) ? 0 : 1;
    }
    lost += Math.max(0, first - symbols.end());
    decided += first - symbols.first();
    system.extend(end);
  }

  /** Delivers packets that have been solved. */
  private void deliver(PacketSink sink) {
    if (!ordered) {
      for (int i = 0; i < system.solvedCount(); i++) {
        long id = system.solved()[i];
        if (id >= next) {
          sink.packet(id, symbols.packet(id));
        }
      }
    }
    deliverInSequence(sink);
  }

  /** Moves {@link #next} over known packets. */
  private void deliverInSequence(PacketSink sink) {
    while (symbols.isKnown(next)) {
      long id = next++;
      if (ordered) {
        sink.packet(id, symbols.packet(id));
      }
    }
  }

  /** Moves {@link #next} to an id at least, and over known packets. */
  private void giveUp(long until, PacketSink sink) {
    while (next < until) {
      long from = next;
      long known = Math.min(until, symbols.end());
      do {
        next++;
      } while (next < known && !symbols.isKnown(next));
      if (next >= symbols.end()) {
        next = until;
      }
      sink.gap(from, next - from);
      deliverInSequence(sink);
    }
  }

  /** Returns what the encoder should know. */
  public Acknowledgement acknowledgement() {
    int unknown = 0;
    for (long id = next; id < symbols.end(); id++) {
      unknown += symbols.isKnown(id) ? 0 : 1;
    }
    int deficit = unknown - system.equations().rankFrom(next);
    return new Acknowledgement(next, symbols.end(), deficit, decided, lost);
  }

  /** Returns the number of packets and symbols that were {@link Reception#LATE}. */
  public long late() {
    return late;
  }

  /**
   * Returns the number of solved symbols that were not delivered, because no packet has such a
   * symbol: a symbol was changed on its way.
   */
  public long damaged() {
    return system.damaged();
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    system.close();
  }
}
