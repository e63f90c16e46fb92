package io.fieldstone.rlnc.wire;

import io.fieldstone.rlnc.GenerationShape;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;

/**
 * The description of an object from which a receiver can decode and verify it (docs/format.md,
 * "Manifest"). Its SHA-256 is the identity of the object. So all senders of the same bytes in the
 * same shape agree on the identity; names, seeds and signatures are no part of it.
 *
 * <p>An object of L bytes has ⌈L / k⌉ source blocks, the last padded with zeros. Every n of them
 * form a generation; the last generation may be shorter.
 *
 * <p>Immutable and thread-safe.
 *
 * @param shape field, code, n of a full generation, k
 * @param length L: the bytes that are coded, ≥ 0; with encryption, the bytes of the ciphertext
 * @param encryption how the coded bytes are encrypted, if they are
 * @param root the root of the {@link HashTree} over the coded bytes
 */
public record ObjectManifest(
    GenerationShape shape, long length, Optional<Encryption> encryption, Sha256 root) {

  /** The maximum bytes of a manifest. */
  public static final int MAX_BYTES = 128;

  /** The maximum number of generations, so that their hashes fit in memory. */
  public static final long MAX_GENERATIONS = 1L << 24;

  private static final byte[] MAGIC = "FSTOBJ\0\2".getBytes(StandardCharsets.ISO_8859_1);
  private static final int FIELD_AT = 8;
  private static final int CODE_AT = 9;
  private static final int LAYOUT_AT = 10;
  private static final int CIPHER_AT = 11;
  private static final int BLOCKS_AT = 12;
  private static final int BLOCK_SIZE_AT = 16;
  private static final int PARAMETER_AT = 20;
  private static final int LENGTH_AT = 28;
  private static final int FIXED_BYTES = 68;
  private static final int UNIFORM_LAYOUT = 1;
  private static final int NO_CIPHER = 0;
  private static final int AES_256_GCM = 1;
  private static final Registry.Offsets SHAPE_AT =
      new Registry.Offsets(FIELD_AT, CODE_AT, PARAMETER_AT, BLOCKS_AT, BLOCK_SIZE_AT);

  /**
   * The parameters of AES-256-GCM by generations: the salt of the object's key, and a check of the
   * master key, which names the key that a receiver needs.
   *
   * @param salt derives the key of this object from the master key
   * @param keyId the first 8 bytes of a hash of the master key
   */
  public record Encryption(Sha256 salt, long keyId) {}

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if the length is negative or gives more than {@link
   *     #MAX_GENERATIONS}
   */
  public ObjectManifest {
    Objects.requireNonNull(root, "root");
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is less than 0");
    }
    long generations = ceilDivide(length, shape.bytes());
    if (generations > MAX_GENERATIONS) {
      throw new IllegalArgumentException(
          "%d bytes are %d generations of %d bytes; the maximum is %d"
              .formatted(length, generations, shape.bytes(), MAX_GENERATIONS));
    }
  }

  /** Returns the identity of the object: the SHA-256 of {@link #toBytes}. */
  public Sha256 id() {
    return Sha256.hash(ByteBuffer.wrap(toBytes()));
  }

  /** Returns the number of source blocks, ⌈L / k⌉. */
  public long sourceBlocks() {
    return ceilDivide(length, shape.blockSize());
  }

  /** Returns the number of generations, ⌈L / (n·k)⌉; zero for an empty object. */
  public int generations() {
    return (int) ceilDivide(length, shape.bytes());
  }

  /** Returns the shape of a generation, which has fewer blocks for a shorter last one. */
  public GenerationShape shapeOf(int generation) {
    Objects.checkIndex(generation, generations());
    long rest = sourceBlocks() - (long) generation * shape.blocks();
    return shape.withBlocks((int) Math.min(shape.blocks(), rest));
  }

  /** Returns the bytes of the object in a generation, without padding: n·k except for the last. */
  public long bytesOf(int generation) {
    Objects.checkIndex(generation, generations());
    return Math.min(shape.bytes(), length - generation * shape.bytes());
  }

  /** Returns the length of {@link #toBytes}. */
  int byteSize() {
    return byteSize(encryption.isPresent());
  }

  static int byteSize(boolean isEncrypted) {
    return FIXED_BYTES + (isEncrypted ? Sha256.BYTES + 8 : 0);
  }

  /** Returns the bytes of the format, of which each manifest has exactly one form. */
  public byte[] toBytes() {
    ByteBuffer bytes = ByteBuffer.allocate(byteSize());
    bytes
        .put(MAGIC)
        .put(Registry.fieldId(shape.field()))
        .put(Registry.codeId(shape.code()))
        .put((byte) UNIFORM_LAYOUT)
        .put((byte) (encryption.isPresent() ? AES_256_GCM : NO_CIPHER))
        .putInt(shape.blocks())
        .putInt(shape.blockSize())
        .putLong(Registry.codeParameter(shape.code()))
        .putLong(length);
    root.writeTo(bytes);
    encryption.ifPresent(parameters -> {
      parameters.salt().writeTo(bytes);
      bytes.putLong(parameters.keyId());
    });
    return bytes.array();
  }

  /**
   * Parses a manifest.
   *
   * @param bytes exactly one manifest
   * @throws MalformedDataException if the bytes are not valid, or need a later version
   */
  public static ObjectManifest parse(byte[] bytes) throws MalformedDataException {
    if (bytes.length < FIXED_BYTES || bytes.length > MAX_BYTES) {
      throw new MalformedDataException(
          0, "a manifest of %d bytes, not %d…%d".formatted(bytes.length, FIXED_BYTES, MAX_BYTES));
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (int i = 0; i < MAGIC.length; i++) {
      if (buffer.get() != MAGIC[i]) {
        throw new MalformedDataException(
            i, "not a manifest of version 2: byte 0x%02x".formatted(bytes[i]));
      }
    }
    int layout = bytes[LAYOUT_AT];
    if (layout != UNIFORM_LAYOUT) {
      throw new MalformedDataException(LAYOUT_AT, "unknown layout " + layout);
    }
    GenerationShape shape =
        Registry.shape(
            bytes[FIELD_AT],
            bytes[CODE_AT],
            buffer.getLong(PARAMETER_AT),
            buffer.getInt(BLOCKS_AT),
            buffer.getInt(BLOCK_SIZE_AT),
            SHAPE_AT);
    long length = buffer.getLong(LENGTH_AT);
    buffer.position(LENGTH_AT + 8);
    Sha256 root = Sha256.read(buffer);
    Optional<Encryption> encryption = encryption(bytes[CIPHER_AT], buffer);
    if (buffer.hasRemaining()) {
      throw new MalformedDataException(
          buffer.position(), buffer.remaining() + " bytes after the manifest");
    }
    try {
      return new ObjectManifest(shape, length, encryption, root);
    } catch (IllegalArgumentException e) {
      throw new MalformedDataException(LENGTH_AT, String.valueOf(e.getMessage()));
    }
  }

  private static Optional<Encryption> encryption(int cipher, ByteBuffer buffer)
      throws MalformedDataException {
    return switch (cipher) {
      case NO_CIPHER -> Optional.empty();
      case AES_256_GCM -> {
        if (buffer.remaining() < Sha256.BYTES + 8) {
          throw new MalformedDataException(
              buffer.position(), "a manifest that ends inside the parameters of its cipher");
        }
        yield Optional.of(new Encryption(Sha256.read(buffer), buffer.getLong()));
      }
      default -> throw new MalformedDataException(CIPHER_AT, "unknown cipher " + cipher);
    };
  }

  private static long ceilDivide(long value, long divisor) {
    return value / divisor + (value % divisor == 0 ? 0 : 1);
  }
}
