package io.fieldstone.cli.console;

import io.fieldstone.stream.file.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads text files as a whole: matrices, permutations, lists of sensors and of checksums. Their
 * size is limited to a fraction of the heap, because parsed text takes several times its length.
 */
public final class TextInput {

  private static final long MAX_BYTES = 1L << 30;

  /** The minimum ratio of the heap to the text. */
  private static final int HEAP_FACTOR = 16;

  private TextInput() {}

  /** Returns the name of a file or of standard input in messages. */
  public static String name(Path file) {
    return InputFiles.isStandardStream(file) ? "standard input" : file.toString();
  }

  /** Returns the maximum length of a text in bytes. */
  static long maxBytes() {
    return Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / HEAP_FACTOR);
  }

  /**
   * Reads a file, a pipe or a device, or standard input if the path is {@code -}.
   *
   * @throws Failure if it is a directory, or too long
   */
  public static byte[] bytes(Session session, Path file) throws IOException, Failure {
    long limit = maxBytes();
    byte[] bytes;
    if (InputFiles.isStandardStream(file)) {
      bytes = new StandardInput(session.streams().in()).readNBytes((int) limit + 1);
    } else {
      if (Files.isDirectory(file)) {
        throw new Failure("is a directory", file);
      }
      try (InputStream in = Files.newInputStream(file)) {
        bytes = in.readNBytes((int) limit + 1);
      } catch (IOException e) {
        throw FileErrors.of(file, e);
      }
    }
    if (bytes.length > limit) {
      throw new Failure(
          "text of more than %s, the limit for this heap; set FIELDSTONE_JAVA_OPTS=-Xmx… for more"
              .formatted(Units.bytes(limit)),
          name(file));
    }
    return bytes;
  }

  /**
   * Reads a file, a pipe or a device, or standard input if the path is {@code -}, as UTF-8.
   *
   * @throws Failure if it is a directory, too long, or not UTF-8
   */
  public static String text(Session session, Path file) throws IOException, Failure {
    try {
      // Unlike the String constructor, a decoder rejects malformed bytes.
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes(session, file)))
          .toString();
    } catch (CharacterCodingException e) {
      throw new Failure("not a text file in UTF-8", name(file), e);
    }
  }
}
