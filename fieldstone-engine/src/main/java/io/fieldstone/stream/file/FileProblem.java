package io.fieldstone.stream.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Says what went wrong with a file. Many exceptions of the system have its name alone. */
public final class FileProblem {

  private FileProblem() {}

  /** Returns the file and the reason, as far as the exception has them. */
  public static String text(IOException e) {
    return e instanceof FileSystemException system && system.getFile() != null
        ? system.getFile() + ": " + reason(e)
        : reason(e);
  }

  /** Returns the reason without the file, if the exception has the file apart. */
  public static String reason(IOException e) {
    if (!(e instanceof FileSystemException system)) {
      return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
    return switch (system) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "no such file or directory";
      case NotDirectoryException _ -> "not a directory";
      case FileAlreadyExistsException _ -> "exists already";
      case FileSystemLoopException _ -> "too many symbolic links";
      default -> system.getReason() == null ? "cannot be read or written" : system.getReason();
    };
  }
}
