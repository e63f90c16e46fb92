package io.fieldstone.rlnc.window;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Scratch;
import java.lang.foreign.MemorySegment;

/**
 * Makes repair symbols of the latest source packets of a stream. Source packets are sent as they
 * are, and repair symbols between them as often as wanted.
 *
 * {@snippet :
 * WindowShape shape = WindowShape.of(1316, 256);
 * try (WindowEncoder encoder = WindowEncoder.open(engine, shape, WindowCode.GF256, 0)) {
 *   long id = encoder.add(packet); // send the packet with its id
 *   Repair repair = encoder.repair(key, symbol); // send the symbol with its description
 *   encoder.acknowledge(acknowledgement.firstMissing());
 * }
 * }
 *
 * <p>The window is elastic if receivers acknowledge: repair symbols then combine only packets that
 * a receiver may lack. Without acknowledgements, it is the latest w packets. One repair symbol is a
 * 1×w·w×E product. Two repair symbols over the same packets need different keys.
 *
 * <p>{@link #add} allocates nothing once it is compiled. {@link #repair(int, MemorySegment)}
 * allocates about half a kilobyte: its result, and what a call of {@link
 * io.fieldstone.engine.coding.Products} of the cores does.
 *
 * <p>For one thread at a time. The caller owns the engine, which must stay open until the encoder
 * is closed. An engine of the cores is the right one: products are too small for a GPU.
 */
public final class WindowEncoder implements AutoCloseable {

  private final WindowShape shape;
  private final WindowCode code;
  private final WindowSymbols symbols;
  private final Scratch coefficients = new Scratch();
  private final Scratch combination = new Scratch();

  private WindowEncoder(WindowShape shape, WindowCode code, WindowSymbols symbols) {
    this.shape = shape;
    this.code = code;
    this.symbols = symbols;
  }

  /**
   * Opens an encoder.
   *
   * @param engine computes the repair symbols
   * @param shape the size of symbols and of the window
   * @param code the rule of the coefficients
   * @param first the id of the first packet, 0 … {@value WindowShape#MAX_ID}
   * @throws IllegalArgumentException if the id is out of range
   */
  public static WindowEncoder open(Engine engine, WindowShape shape, WindowCode code, long first) {
    engine.requireOpen();
    WindowShape.requireIds(first, 1);
    return new WindowEncoder(shape, code, new WindowSymbols(engine.products(), shape, first));
  }

  /** Returns the size of symbols and of the window. */
  public WindowShape shape() {
    return shape;
  }

  /** Returns the id of the oldest packet held; {@link #next} if none is. */
  public long first() {
    return symbols.first();
  }

  /** Returns the id of the next packet. */
  public long next() {
    return symbols.end();
  }

  /**
   * Adds a packet, which is copied. If the window is full, its oldest packet leaves.
   *
   * @param packet 1 … {@link WindowShape#largestPacket} bytes
   * @return its id, which is one more than that of the packet before
   * @throws IllegalArgumentException if the packet has another size
   */
  public long add(MemorySegment packet) {
    shape.requirePacket(packet);
    long id = symbols.end();
    WindowShape.requireIds(id, 1);
    if (id - symbols.first() == shape.window()) {
      symbols.slide(symbols.first() + 1);
    }
    symbols.extend(id + 1);
    symbols.store(id, packet);
    return id;
  }

  /**
   * Returns a packet held, as a view that is valid until the next packet is added.
   *
   * @throws IllegalArgumentException if it is not held
   */
  public MemorySegment packet(long id) {
    if (id < first() || id >= next()) {
      throw new IllegalArgumentException(
          "packet %d is not among those held, %d…%d".formatted(id, first(), next() - 1));
    }
    return symbols.packet(id);
  }

  /**
   * Makes a repair symbol of all packets held.
   *
   * @param key 0 … {@link WindowCode#keys} − 1
   * @param symbol receives E bytes
   * @return the description of the symbol
   * @throws IllegalStateException if no packet is held
   * @throws IllegalArgumentException if the key or the size of the symbol is out of range
   */
  public Repair repair(int key, MemorySegment symbol) {
    if (first() == next()) {
      throw new IllegalStateException("no packet before id " + next() + " is held to repair");
    }
    return repair(key, first(), (int) (next() - first()), symbol);
  }

  /**
   * Makes a repair symbol of some of the packets held.
   *
   * @param key 0 … {@link WindowCode#keys} − 1
   * @param first the id of the first packet
   * @param count the number of packets, ≥ 1
   * @param symbol receives E bytes
   * @return the description of the symbol
   * @throws IllegalArgumentException if a packet is not held, or the key or the size of the symbol
   *     is out of range
   */
  public Repair repair(int key, long first, int count, MemorySegment symbol) {
    shape.requireSymbol(symbol);
    Repair repair = new Repair(key, first, count);
    if (first < first() || repair.end() > next()) {
      throw new IllegalArgumentException(
          "packets %d…%d are not among those held, %d…%d"
              .formatted(first, repair.end() - 1, first(), next() - 1));
    }
    ByteMatrices vector = coefficients.matrix(1, count);
    code.coefficients(key, count, vector.data());
    ByteMatrices product = combination.matrix(1, shape.symbolBytes());
    symbols.combine(vector, first, product);
    MemorySegment.copy(product.data(), 0, symbol, 0, shape.symbolBytes());
    return repair;
  }

  /**
   * Removes the packets that receivers do not need any more. An acknowledgement older than another
   * changes nothing.
   *
   * @param firstMissing {@link Acknowledgement#firstMissing}, the least of all receivers
   * @throws IllegalArgumentException if a packet below it has not been added
   */
  public void acknowledge(long firstMissing) {
    if (firstMissing > next()) {
      throw new IllegalArgumentException(
          "acknowledgement of packets below %d, but the next is %d"
              .formatted(firstMissing, next()));
    }
    if (firstMissing > first()) {
      symbols.slide(firstMissing);
    }
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    symbols.close();
    coefficients.close();
    combination.close();
  }
}
