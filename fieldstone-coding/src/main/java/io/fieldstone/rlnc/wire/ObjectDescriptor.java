package io.fieldstone.rlnc.wire;

import io.fieldstone.rlnc.GenerationShape;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;

/**
 * The description of a coded object of version 1, with which a receiver can decode its blocks to
 * the file.
 *
 * <p>An object of L bytes has ⌈L / k⌉ source blocks, the last padded with zeros. Every n of them
 * form a generation; the last generation may be shorter.
 *
 * @param name the file name, without a directory
 * @param shape field, code, n of a full generation, k
 * @param seed the key of the coding vectors
 * @param length L: the bytes of the file, ≥ 0
 * @param sha256 the SHA-256 of the file, 64 lower-case hexadecimal digits
 */
public record ObjectDescriptor(
    String name, GenerationShape shape, long seed, long length, String sha256)
    implements CodedObject {

  /** The maximum number of generations, which are numbered by 32 bits. */
  public static final long MAX_GENERATIONS = (1L << 32) - 1;

  private static final byte[] ID_PREFIX = "FSTOBJID".getBytes(StandardCharsets.US_ASCII);

  /**
   * Checks the name and the numbers.
   *
   * @throws IllegalArgumentException if the name is not a plain file name, the length is negative
   *     or gives more than {@link #MAX_GENERATIONS}, or the digest is not 64 lower-case digits
   */
  public ObjectDescriptor {
    Objects.requireNonNull(shape, "shape");
    CodedObject.nameBytes(name);
    if (!sha256.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException("'" + sha256 + "' is not a SHA-256 in hexadecimal");
    }
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is less than 0");
    }
    requireGenerations(length / shape.bytes() + (length % shape.bytes() == 0 ? 0 : 1));
  }

  /**
   * Computes the identity of an object, which does not depend on its content: the first eight bytes
   * of a SHA-256 over name, shape and seed (docs/format.md, "Object id"). Two versions of a file
   * have the same identity and different digests.
   */
  public static long objectId(String name, GenerationShape shape, long seed) {
    byte[] utf8 = CodedObject.nameBytes(name);
    ByteBuffer bytes =
        ByteBuffer.allocate(ID_PREFIX.length + 28 + utf8.length)
            .put(ID_PREFIX)
            .put(Registry.fieldId(shape.field()))
            .put(Registry.codeId(shape.code()))
            .putShort((short) 0)
            .putInt(shape.blocks())
            .putInt(shape.blockSize())
            .putLong(Registry.codeParameter(shape.code()))
            .putLong(seed)
            .put(utf8);
    return ByteBuffer.wrap(newSha256().digest(bytes.array())).getLong();
  }

  /** Creates a SHA-256 digest, which every Java platform supports. */
  public static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** Returns the {@link #objectId(String, GenerationShape, long)} of this object. */
  public long objectId() {
    return objectId(name, shape, seed);
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public String idText() {
    return "%016x".formatted(objectId());
  }

  /**
   * Checks that generations can be numbered.
   *
   * @throws IllegalArgumentException if there are more than {@link #MAX_GENERATIONS}
   */
  public static void requireGenerations(long generations) {
    if (generations > MAX_GENERATIONS) {
      throw new IllegalArgumentException(
          "%d generations are more than %d: use larger generations"
              .formatted(generations, MAX_GENERATIONS));
    }
  }
}
