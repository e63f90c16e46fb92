package io.fieldstone.rlnc.backup;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says why a file cannot be protected, without its name. */
final class Reasons {

  static final String DENIED = "permission denied";
  static final String CHANGED = "was changed while it was read";

  private Reasons() {}

  /** Returns the reason of an exception. */
  static String of(IOException e) {
    return switch (e) {
      case AccessDeniedException _ -> DENIED;
      case NoSuchFileException _ -> "no such file";
      case FileSystemException system when system.getReason() != null -> system.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
