package io.fieldstone.net.state;

import io.fieldstone.stream.file.FileErrors;
import io.fieldstone.stream.file.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/** Reads and writes text files of a client's state, which a user may edit. */
public final class StateLines {

  private static final String LOCK = "trust_lock";

  private StateLines() {}

  /** Reads a file and replaces it. */
  public interface Change<T> {

    /** Reads and replaces. */
    T run() throws IOException;
  }

  /**
   * Runs a change of a file while no other thread or process changes one in its folder, so that
   * none loses the line of another. Without a lock if the file system has none.
   *
   * @throws IOException if the change does
   */
  public static synchronized <T> T change(Path file, Change<T> change) throws IOException {
    try (Closeable _ = lock(file)) {
      return change.run();
    }
  }

  private static Closeable lock(Path file) {
    FileChannel channel;
    try {
      makeFolder(file);
      channel =
          OpenFile.openPrivately(
              file.resolveSibling(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException _) {
      return () -> {}; // the change names the problem, if it writes
    }
    try {
      FileLock _ = channel.lock();
    } catch (IOException _) {
      // The file system has no locks.
    }
    return channel;
  }

  private static void makeFolder(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      StateFolder.make(folder);
    }
  }

  /** Returns the content of a file; nothing if it does not exist. */
  public static byte[] read(Path file) throws IOException {
    return Files.exists(file)
        ? FileErrors.naming(file, () -> Files.readAllBytes(file))
        : new byte[0];
  }

  /**
   * Passes the words of each line to a parser; empty lines and those that begin with {@code #} are
   * comments.
   *
   * @param file the name in exceptions
   * @param maxWords the words of a line, of which the last has the rest of it
   * @param parser throws an {@link IllegalArgumentException} if a line is not valid
   * @throws FileSystemException if a line is not valid, with its number, or the bytes are not UTF-8
   */
  public static void parse(Path file, byte[] content, int maxWords, Consumer<String[]> parser)
      throws FileSystemException {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw new FileSystemException(file.toString(), null, "not UTF-8");
    }
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (!line.isBlank() && !line.startsWith("#")) {
        try {
          parser.accept(line.strip().split("\\s+", maxWords));
        } catch (IllegalArgumentException e) {
          throw new FileSystemException(
              file.toString(), null, "line " + number + ": " + e.getMessage());
        }
      }
    }
  }

  /** Replaces a file atomically, after making its folder. */
  public static void replace(Path file, String text) throws IOException {
    makeFolder(file);
    StateFolder.replace(file, text.getBytes(StandardCharsets.UTF_8));
  }
}
