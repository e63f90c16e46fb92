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

  /** The reason for a file that may not be read or written. */
  public static final String DENIED = "permission denied";

  /** The reason for a file that does not exist. */
  public static final String MISSING = "no such file or directory";

  /** The reason for a file where a folder is needed. */
  public static final String NO_FOLDER = "not a directory";

  /** The reason for a file that must not be replaced. */
  public static final String EXISTS = "already exists";

  private FileProblem() {}

  /** Returns the exception for a file whose bytes are not those of one time. */
  public static FileSystemException changed(String file) {
    return new FileSystemException(file, null, "was changed while it was read");
  }

  /** Returns the file and the reason, as far as the exception has them. */
  public static String text(IOException e) {
    return e instanceof FileSystemException system && system.getFile() != null
        ? system.getFile() + ": " + reason(e)
        : reason(e);
  }

  /** Returns the reason and behind it the file. */
  public static String reasonFirst(FileSystemException e) {
    return reason(e) + ": " + e.getFile();
  }

  /**
   * Returns the reason without the file, if the exception has the file apart. A reason of the
   * system begins in lower case.
   */
  public static String reason(Exception e) {
    if (!(e instanceof FileSystemException system)) {
      return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
    return switch (system) {
      case AccessDeniedException _ -> DENIED;
      case NoSuchFileException _ -> MISSING;
      case NotDirectoryException _ -> NO_FOLDER;
      case FileAlreadyExistsException _ -> EXISTS;
      case FileSystemLoopException _ -> "too many symbolic links";
      default ->
          system.getReason() == null ? "cannot be read or written" : lowerFirst(system.getReason());
    };
  }

  /** Returns the text with its first letter in lower case. */
  public static String lowerFirst(String text) {
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
