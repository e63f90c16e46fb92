package io.fieldstone.rlnc.wire;

import io.fieldstone.rlnc.GenerationShape;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.IntPredicate;

/**
 * The object of which shards hold coded blocks, with the name that a shard gives it. The name is
 * not part of its identity.
 *
 * @param name the file name, without a directory
 * @param manifest the description, whose digest is the identity
 */
public record CodedObject(String name, ObjectManifest manifest) {

  /** The maximum bytes of a name in UTF-8. */
  public static final int MAX_NAME_BYTES = 255;

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if the name is not a plain file name
   */
  public CodedObject {
    Objects.requireNonNull(manifest, "manifest");
    byte[] _ = nameBytes(name);
  }

  /** Returns field, code, n of a full generation, k. */
  public GenerationShape shape() {
    return manifest.shape();
  }

  /** Returns L: the bytes that are coded, ≥ 0. */
  public long length() {
    return manifest.length();
  }

  /** Returns the identity in 64 hexadecimal digits. */
  public String idText() {
    return manifest.id().toString();
  }

  /** Returns the number of source blocks, ⌈L / k⌉. */
  public long sourceBlocks() {
    return manifest.sourceBlocks();
  }

  /** Returns the number of generations, ⌈L / (n·k)⌉; zero for an empty object. */
  public long generations() {
    return manifest.generations();
  }

  /** Returns the number of source blocks of a generation: n except for the last. */
  public int blocksOf(long generation) {
    Objects.checkIndex(generation, generations());
    return (int) Math.min(shape().blocks(), sourceBlocks() - generation * shape().blocks());
  }

  /** Returns the bytes of the object in a generation, without padding: n·k except for the last. */
  public long bytesOf(long generation) {
    Objects.checkIndex(generation, generations());
    return Math.min(shape().bytes(), length() - generation * shape().bytes());
  }

  /**
   * Returns a name in UTF-8 after checking it.
   *
   * @throws IllegalArgumentException if it is empty, longer than {@link #MAX_NAME_BYTES}, "." or
   *     "..", or has a path separator, a control character or an unpaired surrogate
   */
  public static byte[] nameBytes(String name) {
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
}
