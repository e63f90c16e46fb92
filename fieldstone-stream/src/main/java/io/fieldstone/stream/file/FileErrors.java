package io.fieldstone.stream.file;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Names files in exceptions: those of channels and streams give the reason of the system only. The
 * exception of a cancelled transfer ({@link ClosedChannelException}) stays as it is.
 */
public final class FileErrors {

  /**
   * A use of a file.
   *
   * @param <T> its result
   */
  @FunctionalInterface
  public interface Use<T> {
    /** Reads or writes the file. */
    T run() throws IOException;
  }

  private FileErrors() {}

  /**
   * Uses a file.
   *
   * @param name the name of the file in exceptions
   * @return the result of the use
   * @throws IOException if the use fails; the message names the file
   */
  public static <T> T naming(Path name, Use<T> use) throws IOException {
    try {
      return use.run();
    } catch (IOException e) {
      throw of(name, e);
    }
  }

  /**
   * Returns an exception that names the file; those of the system often lack the name, or have that
   * of a temporary file. An exception of a cancelled transfer is returned unchanged.
   */
  public static IOException of(Path name, IOException e) {
    if (e instanceof ClosedChannelException) {
      return e;
    }
    if (!(e instanceof FileSystemException system)) {
      return new IOException(name + ": " + e.getMessage(), e);
    }
    if (name.toString().equals(system.getFile())) {
      return e;
    }
    FileSystemException named =
        switch (e) {
          case AccessDeniedException _ -> new AccessDeniedException(name.toString());
          case NoSuchFileException _ -> new NoSuchFileException(name.toString());
          default -> new FileSystemException(name.toString(), null, system.getReason());
        };
    named.initCause(e);
    return named;
  }
}
