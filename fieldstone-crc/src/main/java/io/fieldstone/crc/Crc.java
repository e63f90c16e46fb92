package io.fieldstone.crc;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.ResidentBytes;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.Checksum;

/**
 * Computes checksums of one {@link CrcModel}. It is a {@link Checksum}, which accumulates bytes
 * with {@code update}. {@link #hash(MemorySegment)} computes the checksum of a complete message
 * independently of that state. Because CRCs are linear, checksums can also be combined, and {@link
 * Syndromes} locates or forges errors.
 *
 * {@snippet :
 * Crc crc = Crc.of(CrcCatalogue.model("CRC-32/ISO-HDLC"));
 * CrcValue sum = crc.hash("123456789".getBytes(US_ASCII)); // cbf43926
 * crc.update(bytes);
 * long value = crc.getValue();
 * }
 *
 * <p>{@link #of(CrcModel)} computes on the calling thread, as {@code java.util.zip} does, and by
 * its classes where they have the polynomial. It uses no GPU, and starts one thread at most, which
 * compiles vector code when the first long message arrives. {@link #of(CrcModel, Engine)} computes
 * on an engine, which uses all cores or a GPU for long messages and batches.
 *
 * <p>The state is one register. {@code update}, {@code reset} and {@code clone} are for one thread
 * at a time; all other methods are thread-safe.
 */
public final class Crc implements Checksum, Cloneable {

  private final CrcModel model;
  private final Divider divider;

  /** The bytes that are read of a stream at once. */
  private static final int STREAM_BYTES = 1 << 16;

  /** Whether the JDK computes the checksums. */
  private final boolean isOfJdk;

  private CrcState state;

  private Crc(CrcModel model, Divider divider, boolean isOfJdk) {
    this.model = model;
    this.divider = divider;
    this.isOfJdk = isOfJdk;
    this.state = newState();
  }

  private CrcState newState() {
    return isOfJdk ? JdkState.of(model) : new DividedState(model, divider);
  }

  /** Creates a checksum that computes on the calling thread. */
  public static Crc of(CrcModel model) {
    return new Crc(
        model,
        model.isNarrow() ? new EngineDivider(model) : new BytewiseDivider(model),
        JdkState.supports(model));
  }

  /**
   * Creates a checksum that computes on an engine.
   *
   * @param engine owned by the caller, and open while the checksum is used. Registers wider than 64
   *     bits are computed on the calling thread
   */
  public static Crc of(CrcModel model, Engine engine) {
    engine.requireOpen();
    Divider divider =
        model.isNarrow()
            ? new EngineDivider(model, engine.checksums().division(model.divisor()))
            : new BytewiseDivider(model);
    return new Crc(model, divider, false);
  }

  /**
   * Creates a checksum by one of an engine's {@link #methods}.
   *
   * @throws IllegalArgumentException if the method does not exist; the message lists the methods
   */
  public static Crc of(CrcModel model, Engine engine, String method) {
    engine.requireOpen();
    if (model.isNarrow()) {
      Division division = engine.checksums().division(model.divisor(), method);
      return new Crc(model, new EngineDivider(model, division), false);
    }
    if (!method.equals(BytewiseDivider.METHOD)) {
      throw new IllegalArgumentException(
          "no method '%s' for %d bits; there is: %s"
              .formatted(method, model.width(), BytewiseDivider.METHOD));
    }
    return new Crc(model, new BytewiseDivider(model), false);
  }

  /** Returns the names of an engine's methods for a model, simplest first. */
  public static List<String> methods(CrcModel model, Engine engine) {
    return model.isNarrow()
        ? engine.checksums().methods(model.divisor())
        : List.of(BytewiseDivider.METHOD);
  }

  /** Returns the model. */
  public CrcModel model() {
    return model;
  }

  /** Announces the bytes that a caller will divide piece by piece. */
  void expect(long bytes) {
    divider.expect(bytes);
  }

  /** Returns the name of the method: one of {@link #methods}, or {@code auto}. */
  public String method() {
    return divider.method();
  }

  @Override
  public void update(int value) {
    state.update(value);
  }

  @Override
  public void update(byte[] bytes, int offset, int length) {
    state.update(bytes, offset, length);
  }

  @Override
  public void update(ByteBuffer buffer) {
    state.update(buffer);
  }

  /** Appends bytes to the state. */
  public void update(MemorySegment bytes) {
    state.update(bytes);
  }

  /** Returns the checksum of the appended bytes; of a model wider than 64 bits, its low 64 bits. */
  @Override
  public long getValue() {
    return value().low();
  }

  /** Returns the checksum of the appended bytes. */
  public CrcValue value() {
    return state.value();
  }

  @Override
  public void reset() {
    state.reset();
  }

  /** Returns an independent checksum with the same state. */
  @Override
  public Crc clone() {
    try {
      Crc clone = (Crc) super.clone();
      clone.state = state.copy();
      return clone;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** Computes the checksum of a message. */
  public CrcValue hash(byte[] message) {
    CrcState all = newState();
    all.update(message, 0, message.length);
    return all.value();
  }

  /**
   * Computes the checksum of a part of an array.
   *
   * @throws IndexOutOfBoundsException if the part exceeds the array
   */
  public CrcValue hash(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    CrcState all = newState();
    all.update(bytes, offset, length);
    return all.value();
  }

  /** Computes the checksum of the remaining bytes of a buffer, whose position is its limit then. */
  public CrcValue hash(ByteBuffer message) {
    CrcState all = newState();
    all.update(message);
    return all.value();
  }

  /**
   * Computes the checksum of the bytes of a stream up to its end.
   *
   * @param stream is not closed
   * @throws IOException if the stream cannot be read
   */
  public CrcValue hash(InputStream stream) throws IOException {
    CrcState all = newState();
    byte[] buffer = new byte[STREAM_BYTES];
    for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
      all.update(buffer, 0, read);
    }
    return all.value();
  }

  /**
   * Computes the checksum of the bytes of a file.
   *
   * @throws IOException if the file cannot be read
   */
  public CrcValue hash(Path file) throws IOException {
    try (InputStream stream = Files.newInputStream(file)) {
      return hash(stream);
    }
  }

  /** Computes the checksum of a message. */
  public CrcValue hash(MemorySegment message) {
    CrcState all = newState();
    all.update(message);
    return all.value();
  }

  /**
   * Computes the checksum of the first bits of some bytes: of a message that may end within a byte.
   * If the model reflects its input, the last bits are the least significant of their byte, else
   * the most significant.
   *
   * @param bits the length of the message in bits
   * @throws IllegalArgumentException if the bytes have fewer bits, or the number is negative
   */
  public CrcValue hashBits(MemorySegment bytes, long bits) {
    if (bits < 0 || Math.ceilDiv(bits, Byte.SIZE) > bytes.byteSize()) {
      throw new IllegalArgumentException(
          "%d bits are not in 0…%d".formatted(bits, bytes.byteSize() * Byte.SIZE));
    }
    long whole = bits / Byte.SIZE;
    CrcState all = newState();
    all.update(bytes.asSlice(0, whole));
    int rest = (int) (bits % Byte.SIZE);
    if (rest == 0) {
      return all.value();
    }
    byte last = bytes.get(ValueLayout.JAVA_BYTE, whole);
    return model.checksum(
        model.modulus().appendBits(model.register(all.value()), last, rest, model.refin()));
  }

  /**
   * Computes the checksum of resident bytes.
   *
   * @throws IllegalArgumentException if they are resident on another engine
   * @throws IndexOutOfBoundsException if the range exceeds the bytes
   */
  public CrcValue hash(ResidentBytes data, long offset, long length) {
    return model.checksum(divider.append(model.init(), data, offset, length));
  }

  /**
   * Computes the checksums of a batch of messages.
   *
   * @param messages the offsets and lengths of the messages in {@code data}
   * @param checksums receives the checksums in order: {@code messages.count()} longs of native byte
   *     order
   * @throws IllegalArgumentException if the model is wider than 64 bits, or {@code checksums} has
   *     another size
   * @throws IndexOutOfBoundsException if a message exceeds the data
   */
  public void hash(MemorySegment data, Extents messages, MemorySegment checksums) {
    divider.division().append(model.init().low(), data, messages, checksums);
    finish(checksums);
  }

  /**
   * Computes the checksums of a batch of messages in resident bytes.
   *
   * @throws IllegalArgumentException also if the bytes are resident on another engine
   * @see #hash(MemorySegment, Extents, MemorySegment)
   */
  public void hash(ResidentBytes data, Extents messages, MemorySegment checksums) {
    divider.division().append(model.init().low(), data, messages, checksums);
    finish(checksums);
  }

  /**
   * Computes the checksum of a message A followed by a message B, in time logarithmic in the length
   * of B (Mark Adler's {@code crc32_combine} in zlib).
   *
   * @param crcA the checksum of A
   * @param crcB the checksum of B
   * @param lengthB the length of B in bytes, ≥ 0
   * @throws IllegalArgumentException if the length is negative or a checksum has another width
   */
  public CrcValue combine(CrcValue crcA, CrcValue crcB, long lengthB) {
    requireLength(lengthB);
    WideModulus modulus = model.modulus();
    // B was divided from the initial register, which A's register replaces.
    CrcValue difference = model.register(crcA).xor(model.init());
    CrcValue moved = modulus.multiply(difference, modulus.xToTheBytes(lengthB));
    return model.checksum(moved.xor(model.register(crcB)));
  }

  /**
   * Computes the checksum of A followed by B, for checksums of up to 64 bits.
   *
   * @see #combine(CrcValue, CrcValue, long)
   */
  public long combine(long crcA, long crcB, long lengthB) {
    int width = model.width();
    return combine(CrcValue.of(width, crcA), CrcValue.of(width, crcB), lengthB).toLong();
  }

  /**
   * Computes the checksum of {@code length} zero bytes, in time logarithmic in the length.
   *
   * @throws IllegalArgumentException if the length is negative
   */
  public CrcValue zeros(long length) {
    requireLength(length);
    return finish(CrcValue.zeros(model.width()), length);
  }

  private void finish(MemorySegment registers) {
    int width = model.width();
    for (long at = 0; at < registers.byteSize(); at += Long.BYTES) {
      long register = registers.get(JAVA_LONG_UNALIGNED, at);
      long plain = model.refout() ? Long.reverse(register) >>> Long.SIZE - width : register;
      registers.set(JAVA_LONG_UNALIGNED, at, plain ^ model.xorout().low());
    }
  }

  /** Returns the register after a message. */
  CrcValue append(CrcValue before, MemorySegment message) {
    return divider.append(before, message);
  }

  /**
   * Returns the checksum of a message of {@code length} bytes.
   *
   * @param remainders the sum of the remainders of its parts, see {@link PartialSum}
   */
  CrcValue finish(CrcValue remainders, long length) {
    WideModulus modulus = model.modulus();
    CrcValue moved = modulus.multiply(model.init(), modulus.xToTheBytes(length));
    return model.checksum(moved.xor(remainders));
  }

  private static void requireLength(long length) {
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is less than 0");
    }
  }

  /** Returns the model, and the checksum of the appended bytes. */
  @Override
  public String toString() {
    return model + ": " + value();
  }
}
