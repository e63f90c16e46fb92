package io.fieldstone.rlnc.window;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Scratch;
import io.fieldstone.field.Philox;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Makes new symbols of the packets and symbols received so far, for relays, without waiting for
 * missing ones. A recoded symbol combines all that the recoder has in its window. It is innovative
 * to a receiver that lacks some of it, with a probability near 1, and can be recoded again.
 *
 * {@snippet :
 * try (WindowRecoder recoder = WindowRecoder.open(engine, shape, WindowCode.GF256, seed, 0)) {
 *   recoder.source(id, packet); // a relay also sends the packet on
 *   recoder.repair(repair, symbol);
 *   WindowVector vector = recoder.next(coefficients, recoded);
 *   recoder.acknowledge(acknowledgement.firstMissing());
 * }
 * }
 *
 * <p>Each relay needs its own seed: relays with the same packets and seed send the same symbols.
 *
 * <p>For one thread at a time. The caller owns the engine, which must stay open until the recoder
 * is closed.
 */
public final class WindowRecoder implements AutoCloseable {

  private final WindowShape shape;
  private final WindowCode code;
  private final long seed;
  private final WindowSystem system;
  private final WindowSymbols symbols;
  private final byte[] factors;

  /** The random bytes of one combination: of packets, then of equations. */
  private final MemorySegment drawn;

  private final Scratch combination = new Scratch();

  private long draws;

  private WindowRecoder(WindowShape shape, WindowCode code, long seed, WindowSystem system) {
    this.shape = shape;
    this.code = code;
    this.seed = seed;
    this.system = system;
    this.symbols = system.symbols();
    this.factors = new byte[shape.window()];
    this.drawn = MemorySegment.ofArray(new byte[2 * shape.window()]);
  }

  /**
   * Opens a recoder.
   *
   * @param engine multiplies the symbols
   * @param shape the size of symbols and of the window
   * @param code the rule of the coefficients of repair symbols, and the field
   * @param seed the Philox key of the combinations
   * @param first the id of the first packet that is wanted, 0 … {@value WindowShape#MAX_ID}
   * @throws IllegalArgumentException if the id is out of range
   */
  public static WindowRecoder open(
      Engine engine, WindowShape shape, WindowCode code, long seed, long first) {
    return new WindowRecoder(shape, code, seed, new WindowSystem(engine, shape, first));
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
   * @throws IllegalArgumentException if the id or the size of the packet is out of range
   */
  public Reception source(long id, MemorySegment packet) {
    WindowShape.requireIds(id, 1);
    shape.requirePacket(packet);
    if (id < symbols.first()) {
      return Reception.LATE;
    }
    system.extend(id + 1);
    return system.source(id, packet);
  }

  /**
   * Receives a repair symbol of the encoder.
   *
   * @param repair its description
   * @param symbol E bytes
   * @throws IllegalArgumentException if the symbol has another size, or the code no such key
   */
  public Reception repair(Repair repair, MemorySegment symbol) {
    shape.requireSymbol(symbol);
    code.requireKey(repair.key());
    if (symbols.areKnown(repair.first(), repair.end())) {
      return Reception.REDUNDANT;
    }
    return combined(repair.first(), system.vector(code, repair), symbol);
  }

  /**
   * Receives a symbol of another recoder.
   *
   * @param first the id of the source packet of coefficient 0
   * @param coefficients one byte for each source packet, 1 … {@value WindowCode#MAX_COUNT}
   * @param symbol E bytes
   * @throws IllegalArgumentException if an argument is out of range
   */
  public Reception recoded(long first, MemorySegment coefficients, MemorySegment symbol) {
    shape.requireSymbol(symbol);
    return combined(first, system.vector(first, coefficients), symbol);
  }

  private Reception combined(long first, ByteMatrices vector, MemorySegment symbol) {
    system.extend(first + vector.columns());
    return system.combined(first, vector, symbol);
  }

  /** Returns the id of the oldest packet of the window. */
  public long first() {
    return symbols.first();
  }

  /** Returns the id after the latest packet that is known to exist. */
  public long end() {
    return symbols.end();
  }

  /** Returns whether a packet of the window has been received or solved. */
  public boolean isKnown(long id) {
    return id >= symbols.first() && symbols.isKnown(id);
  }

  /**
   * Returns a packet that is known, as a view that is valid until the recoder receives something.
   *
   * @throws IllegalArgumentException if it is not known
   */
  public MemorySegment packet(long id) {
    if (!isKnown(id)) {
      throw new IllegalArgumentException(
          "packet %d is not known among %d…%d".formatted(id, first(), end() - 1));
    }
    return symbols.packet(id);
  }

  /**
   * Makes a repair symbol of packets that are all known, as an encoder does: its description is
   * shorter than a coding vector.
   *
   * @param key 0 … {@link WindowCode#keys} − 1
   * @param from the id of the first packet
   * @param count the number of packets, ≥ 1
   * @param symbol receives E bytes
   * @return the description of the symbol
   * @throws IllegalArgumentException if a packet is not known, or the key or the size of the symbol
   *     is out of range
   */
  public Repair repair(int key, long from, int count, MemorySegment symbol) {
    shape.requireSymbol(symbol);
    Repair repair = new Repair(key, from, count);
    if (from < symbols.first() || !symbols.areKnown(from, repair.end())) {
      throw new IllegalArgumentException(
          "packets %d…%d are not all known".formatted(from, repair.end() - 1));
    }
    ByteMatrices vector = system.vector(code, repair);
    ByteMatrices product = combination.matrix(1, shape.symbolBytes());
    symbols.combine(vector, from, product);
    MemorySegment.copy(product.data(), 0, symbol, 0, shape.symbolBytes());
    return repair;
  }

  /**
   * Makes a symbol of those packets of a range that are known. It helps receivers that lack some of
   * them, and no others: unlike that of {@link #next}, it adds no packet that is not in the range.
   *
   * @param key 0 … {@link WindowCode#keys} − 1: the coefficients of the known packets are those of
   *     {@link #repair}
   * @param from the id of the first packet
   * @param count the number of packets, ≥ 1
   * @param coefficients memory for a vector of {@code count} bytes at least
   * @param symbol receives E bytes
   * @return the vector of the symbol, in the memory given
   * @throws IllegalArgumentException if no packet is known, or an argument is out of range
   */
  public WindowVector repairKnown(
      int key, long from, int count, MemorySegment coefficients, MemorySegment symbol) {
    shape.requireSymbol(symbol);
    if (from < symbols.first() || from + count > symbols.end() || coefficients.byteSize() < count) {
      throw new IllegalArgumentException(
          "packets %d…%d with memory for %d coefficients: there are %d…%d"
              .formatted(from, from + count - 1, coefficients.byteSize(), first(), end() - 1));
    }
    ByteMatrices vector = system.vector(code, new Repair(key, from, count));
    int any = 0;
    for (int i = 0; i < count; i++) {
      if (!symbols.isKnown(from + i)) {
        vector.data().set(ValueLayout.JAVA_BYTE, i, (byte) 0);
      }
      any |= vector.data().get(ValueLayout.JAVA_BYTE, i);
    }
    if (any == 0) {
      throw new IllegalArgumentException(
          "no packet of %d…%d is known".formatted(from, from + count - 1));
    }
    ByteMatrices product = combination.matrix(1, shape.symbolBytes());
    symbols.combine(vector, from, product);
    MemorySegment.copy(product.data(), 0, symbol, 0, shape.symbolBytes());
    MemorySegment.copy(vector.data(), 0, coefficients, 0, count);
    return trimmed(from, coefficients.asSlice(0, count));
  }

  /** Returns whether there is something to recode. */
  public boolean isEmpty() {
    return system.equations().rank() == 0 && firstKnown() == symbols.end();
  }

  private long firstKnown() {
    long id = symbols.first();
    while (id < symbols.end() && !symbols.isKnown(id)) {
      id++;
    }
    return id;
  }

  /**
   * Makes a symbol of all that is held.
   *
   * @param coefficients memory for a vector of w bytes at least
   * @param symbol receives E bytes
   * @return the vector of the symbol, in the memory given
   * @throws IllegalStateException if nothing is held
   * @throws IllegalArgumentException if the memory for the vector is too small, or the symbol has
   *     another size
   */
  public WindowVector next(MemorySegment coefficients, MemorySegment symbol) {
    shape.requireSymbol(symbol);
    if (coefficients.byteSize() < shape.window()) {
      throw new IllegalArgumentException(
          "%d bytes for a vector of up to %d coefficients"
              .formatted(coefficients.byteSize(), shape.window()));
    }
    if (isEmpty()) {
      throw new IllegalStateException("no symbol before id " + symbols.end() + " to recode yet");
    }
    long first = symbols.first();
    int count = (int) (symbols.end() - first);
    ByteMatrices vector = system.vector(count);
    while (!draw(first, vector)) {
      draws++;
    }
    draws++;
    system.mix(factors, first, vector, symbol);
    MemorySegment.copy(vector.data(), 0, coefficients, 0, count);
    return trimmed(first, coefficients.asSlice(0, count));
  }

  /** Draws factors of packets and equations. Returns false if all are zero. */
  private boolean draw(long first, ByteMatrices vector) {
    int count = vector.columns();
    int rank = system.equations().rank();
    Philox.fill(seed, 0, draws, drawn, 0, count + rank);
    int mask = code.isBinary() ? 1 : 0xFF;
    int any = 0;
    for (int i = 0; i < count; i++) {
      int factor = drawn.get(ValueLayout.JAVA_BYTE, i) & mask;
      factor = symbols.isKnown(first + i) ? factor : 0;
      vector.data().set(ValueLayout.JAVA_BYTE, i, (byte) factor);
      any |= factor;
    }
    for (int i = 0; i < rank; i++) {
      factors[i] = (byte) (drawn.get(ValueLayout.JAVA_BYTE, count + i) & mask);
      any |= factors[i];
    }
    return any != 0;
  }

  private static WindowVector trimmed(long first, MemorySegment vector) {
    long from = 0;
    long to = vector.byteSize();
    while (vector.get(ValueLayout.JAVA_BYTE, from) == 0) {
      from++;
    }
    while (vector.get(ValueLayout.JAVA_BYTE, to - 1) == 0) {
      to--;
    }
    return new WindowVector(first + from, vector.asSlice(from, to - from));
  }

  /**
   * Removes the packets that receivers do not need any more.
   *
   * @param firstMissing {@link Acknowledgement#firstMissing}, the least of all receivers
   * @throws IllegalArgumentException if it is over {@value WindowShape#MAX_ID}
   */
  public void acknowledge(long firstMissing) {
    if (firstMissing > symbols.first()) {
      WindowShape.requireIds(firstMissing, 1);
      system.slide(firstMissing);
    }
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    system.close();
    combination.close();
  }
}
