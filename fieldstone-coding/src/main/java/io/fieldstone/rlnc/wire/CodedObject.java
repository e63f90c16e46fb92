package io.fieldstone.rlnc.wire;

import io.fieldstone.rlnc.GenerationShape;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.IntPredicate;

/**
 * The object of which shards hold coded blocks: a {@link NamedObject} of version 2, whose manifest
 * identifies its content, or an {@link ObjectDescriptor} of version 1.
 *
 * <p>An object of L bytes has ⌈L / k⌉ source blocks, the last padded with zeros. Every n of them
 * form a generation; the last generation may be shorter.
 */
public sealed interface CodedObject permits NamedObject, ObjectDescriptor {

  /** The maximum bytes of a name in UTF-8. */
  int MAX_NAME_BYTES = 255;

  /** Returns the file name, without a directory. */
  String name();

  /** Returns field, code, n of a full generation, k. */
  GenerationShape shape();

  /** Returns L: the bytes that are coded, ≥ 0. */
  long length();

  /** Returns the version of the format of its shards, 1 or 2. */
  int version();

  /** Returns the identity in hexadecimal digits: 64 in version 2, 16 in version 1. */
  String idText();

  /** Returns the number of source blocks, ⌈L / k⌉. */
  default long sourceBlocks() {
    return ceilDivide(length(), shape().blockSize());
  }

  /** Returns the number of generations, ⌈L / (n·k)⌉; zero for an empty object. */
  default long generations() {
    return ceilDivide(length(), shape().bytes());
  }

  /** Returns the number of source blocks of a generation: n except for the last. */
  default int blocksOf(long generation) {
    Objects.checkIndex(generation, generations());
    return (int) Math.min(shape().blocks(), sourceBlocks() - generation * shape().blocks());
  }

  /** Returns the bytes of the object in a generation, without padding: n·k except for the last. */
  default long bytesOf(long generation) {
    Objects.checkIndex(generation, generations());
    return Math.min(shape().bytes(), length() - generation * shape().bytes());
  }

  /**
   * Returns a name in UTF-8 after checking it.
   *
   * @throws IllegalArgumentException if it is empty, longer than {@link #MAX_NAME_BYTES}, "." or
   *     "..", or has a path separator, a control character or an unpaired surrogate
   */
  static byte[] nameBytes(String name) {
    return nameBytes(name, c -> c == '/' || c == '\\' || Character.isISOControl(c));
  }

  /**
   * Returns a name that files on Linux may have, in UTF-8, after checking it.
   *
   * @throws IllegalArgumentException if it is empty, longer than {@link #MAX_NAME_BYTES}, "." or
   *     "..", or has a slash, NUL or an unpaired surrogate
   */
  static byte[] anyNameBytes(String name) {
    return nameBytes(name, c -> c == '/' || c == 0);
  }

  private static byte[] nameBytes(String name, IntPredicate isRefused) {
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException("'" + name + "' is not a file name");
    }
    for (int at = 0; at < name.length(); at++) {
      char c = name.charAt(at);
      if (isRefused.test(c)) {
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
