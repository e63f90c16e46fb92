package io.fieldstone.cli.console;

import io.fieldstone.engine.EngineFailedException;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.rlnc.file.MalformedShardException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

/** What went wrong, in one line of the form {@code WHAT: WHERE}. */
public final class ErrorLine {

  private static final int MAX_LENGTH = 2000;

  private static final Pattern UNPRINTABLE =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  private ErrorLine() {}

  /** The line for an exception or error; never has a line break. */
  public static String of(Throwable e) {
    return oneLine(describe(e));
  }

  /**
   * {@code text} with its line breaks and runs of blanks made single blanks, and cut if it is very
   * long. Other characters that a terminal would act on, which files may contain, are escaped.
   */
  public static String oneLine(String text) {
    String line = text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
    return UNPRINTABLE
        .matcher(line.strip().replaceAll("\\s+", " "))
        .replaceAll(match -> "\\\\u%04x".formatted((int) match.group().charAt(0)));
  }

  private static String describe(Throwable e) {
    return switch (e) {
      case Failure failure -> message(failure);
      case NoSuchFileException missing -> "no such file or directory: " + missing.getFile();
      case AccessDeniedException denied -> "permission denied: " + denied.getFile();
      case FileAlreadyExistsException exists -> "already exists: " + exists.getFile();
      case NotDirectoryException other -> "not a directory: " + other.getFile();
      case FileSystemException system -> fileSystem(system);
      case InterruptedException _, CancellationException _, ClosedChannelException _ ->
          "interrupted";
      case UncheckedIOException unchecked when unchecked.getCause() != null ->
          describe(unchecked.getCause());
      case ExecutionException wrapped when wrapped.getCause() != null ->
          describe(wrapped.getCause());
      case MalformedShardException malformed when malformed.getCause() != null ->
          message(malformed.getCause()) + ": " + malformed.path();
      case InvalidPathException name ->
          "no file can have this name (%s): %s"
              .formatted(Failure.lowerFirst(name.getReason()), name.getInput());
      case EOFException end -> "unexpected end of data: " + message(end);
      case IOException io -> whatBeforeWhere(io);
      case EngineFailedException failed -> message(failed);
      case EngineMemoryError memory -> message(memory);
      case OutOfMemoryError _ ->
          "out of memory: the JVM has %s of heap; FIELDSTONE_JAVA_OPTS=-Xmx… sets it"
              .formatted(Units.bytes(Runtime.getRuntime().maxMemory()));
      case StackOverflowError _ -> "internal error: stack overflow";
      default -> isData(e) ? message(e) : internal(e);
    };
  }

  /** Checked exceptions of the library are bad data, and their message says what and where. */
  private static boolean isData(Throwable e) {
    return e instanceof Exception
        && !(e instanceof RuntimeException)
        && e.getClass().getName().startsWith("io.fieldstone.");
  }

  private static String fileSystem(FileSystemException e) {
    String reason = Optional.ofNullable(e.getReason()).orElse("cannot be read or written");
    return Character.toLowerCase(reason.charAt(0)) + reason.substring(1) + ": " + e.getFile();
  }

  /** An error that was given the name of its file in front gets it behind, like all others. */
  private static String whatBeforeWhere(IOException e) {
    String message = message(e);
    Throwable cause = e.getCause();
    if (cause != null && cause.getMessage() != null) {
      String what = cause.getMessage();
      if (message.length() > what.length() + 2 && message.endsWith(": " + what)) {
        String where = message.substring(0, message.length() - what.length() - 2);
        return Failure.lowerFirst(what) + ": " + where;
      }
    }
    return Failure.lowerFirst(message);
  }

  private static String internal(Throwable e) {
    StackTraceElement[] trace = e.getStackTrace();
    String where = trace.length == 0 ? "unknown place" : trace[0].toString();
    return "internal error: %s: %s (--verbose shows the stack trace)".formatted(e, where);
  }

  private static String message(Throwable e) {
    return Optional.ofNullable(e.getMessage()).orElseGet(e::toString);
  }
}
