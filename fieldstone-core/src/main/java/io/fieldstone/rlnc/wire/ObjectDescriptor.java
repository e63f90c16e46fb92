package io.fieldstone.rlnc.wire;

import io.fieldstone.rlnc.GenerationShape;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;

/**
 * The description of a coded object, with which a receiver can decode its blocks to the file.
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
    String name, GenerationShape shape, long seed, long length, String sha256) {

  /** The maximum bytes of a name in UTF-8. */
  public static final int MAX_NAME_BYTES = 255;

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
    nameBytes(name);
    if (!sha256.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException("'" + sha256 + "' is not a SHA-256 in hexadecimal");
    }
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is less than 0");
    }
    requireGenerations(ceilDivide(length, shape.bytes()));
  }

  /**
   * Computes the identity of an object, which does not depend on its content: the first eight bytes
   * of a SHA-256 over name, shape and seed (docs/format.md, "Object id"). Two versions of a file
   * have the same identity and different digests.
   */
  public static long objectId(String name, GenerationShape shape, long seed) {
    byte[] utf8 = nameBytes(name);
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

  /** Returns the number of source blocks, ⌈L / k⌉. */
  public long sourceBlocks() {
    return ceilDivide(length, shape.blockSize());
  }

  /** Returns the number of generations, ⌈L / (n·k)⌉; zero for an empty file. */
  public long generations() {
    return ceilDivide(length, shape.bytes());
  }

  /** Returns the number of source blocks of a generation: n except for the last. */
  public int blocksOf(long generation) {
    Objects.checkIndex(generation, generations());
    return (int) Math.min(shape.blocks(), sourceBlocks() - generation * shape.blocks());
  }

  /** Returns the bytes of the file in a generation: n·k except for the last. */
  public long bytesOf(long generation) {
    Objects.checkIndex(generation, generations());
    return Math.min(shape.bytes(), length - generation * shape.bytes());
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

  /**
   * Returns a name in UTF-8 after checking it.
   *
   * @throws IllegalArgumentException if it is empty, longer than {@link #MAX_NAME_BYTES}, "." or
   *     "..", or has a path separator, a control character or an unpaired surrogate
   */
  static byte[] nameBytes(String name) {
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException("'" + name + "' is not a file name");
    }
    for (int at = 0; at < name.length(); at++) {
      char c = name.charAt(at);
      if (c == '/' || c == '\\' || Character.isISOControl(c)) {
        throw new IllegalArgumentException(
            "the file name has U+%04X at position %d".formatted((int) c, at));
      }
    }
    try {
      ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
      if (utf8.remaining() > MAX_NAME_BYTES) {
        throw new IllegalArgumentException(
            "file name of %d bytes, more than %d".formatted(utf8.remaining(), MAX_NAME_BYTES));
      }
      byte[] bytes = new byte[utf8.remaining()];
      utf8.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the file name has an unpaired surrogate", e);
    }
  }

  private static long ceilDivide(long value, long divisor) {
    return value / divisor + (value % divisor == 0 ? 0 : 1);
  }
}
