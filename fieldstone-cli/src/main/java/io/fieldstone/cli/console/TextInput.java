package io.fieldstone.cli.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Text that is read as a whole: matrices, permutations, lists of sensors and of checksums. What is
 * made of it takes several times its length, so text is limited by the heap.
 */
public final class TextInput {

  private static final long MAX_BYTES = 1L << 30;

  /** The heap is at least this many times as large. */
  private static final int HEAP_FACTOR = 16;

  private TextInput() {}

  /** What messages call a file, or standard input. */
  public static String name(Path file) {
    return InputFiles.isStandardStream(file) ? "standard input" : file.toString();
  }

  /** The length that a text may have, in bytes. */
  static long maxBytes() {
    return Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / HEAP_FACTOR);
  }

  /**
   * The content of a file, or of standard input if it is {@code -}.
   *
   * @throws Failure if there is no such file, or it is too long
   */
  public static byte[] bytes(Session session, Path file) throws IOException, Failure {
    long limit = maxBytes();
    byte[] bytes;
    if (InputFiles.isStandardStream(file)) {
      bytes = new StandardInput(session.streams().in()).readNBytes((int) limit + 1);
    } else {
      InputFiles.requireReadable(file);
      try (InputStream in = Files.newInputStream(file)) {
        bytes = in.readNBytes((int) limit + 1);
      }
    }
    if (bytes.length > limit) {
      throw new Failure(
          "text of more than %s, a part of the heap; FIELDSTONE_JAVA_OPTS=-Xmx… sets the heap"
              .formatted(Units.bytes(limit)),
          name(file));
    }
    return bytes;
  }

  /**
   * As {@link #bytes}, as text.
   *
   * @throws Failure if it is not in UTF-8 too
   */
  public static String text(Session session, Path file) throws IOException, Failure {
    try {
      // Unlike the constructor of a string, a decoder refuses other bytes.
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes(session, file)))
          .toString();
    } catch (CharacterCodingException e) {
      throw new Failure("not a text file in UTF-8", name(file), e);
    }
  }
}
