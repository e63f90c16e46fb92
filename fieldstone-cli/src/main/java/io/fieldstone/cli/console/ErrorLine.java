package io.fieldstone.cli.console;

import io.fieldstone.engine.EngineFailedException;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.MissingPortException;
import io.fieldstone.rlnc.file.MalformedShardException;
import io.fieldstone.stream.Threads;
import io.fieldstone.stream.file.FileProblem;
import io.fieldstone.stream.file.Printable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;

/** Formats errors as one line of the form {@code PROBLEM: PLACE}. */
public final class ErrorLine {

  /** The message for the exceptions that a signal causes. */
  public static final String INTERRUPTED = "interrupted";

  private static final int MAX_LENGTH = 2000;

  private ErrorLine() {}

  /** Returns the line that reports why a command fails. */
  public static String failure(String message) {
    return "fieldstone: " + oneLine(message.strip());
  }

  /** Returns the line of a warning, after which a command continues. */
  public static String warning(String message) {
    return "warning: " + oneLine(message.strip());
  }

  /** Returns the message for an exception or error, without line breaks. */
  public static String of(Throwable e) {
    return oneLine(describe(e).strip());
  }

  /**
   * Truncates a text to {@value #MAX_LENGTH} characters. Line breaks and control characters, which
   * file names may contain, are escaped.
   */
  public static String oneLine(String text) {
    return Printable.line(text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…");
  }

  private static String describe(Throwable e) {
    return switch (e) {
      case Failure failure -> message(failure);
      case FileSystemException system -> FileProblem.reasonFirst(system);
      case InterruptedException _,
          InterruptedIOException _,
          CancellationException _,
          ClosedChannelException _ ->
          INTERRUPTED;
      case UncheckedIOException unchecked when unchecked.getCause() != null ->
          describe(unchecked.getCause());
      case ExecutionException wrapped when wrapped.getCause() != null ->
          describe(wrapped.getCause());
      case MalformedShardException malformed when malformed.getCause() != null ->
          message(malformed.getCause()) + ": " + malformed.path();
      case InvalidPathException name ->
          "invalid file name (%s): %s"
              .formatted(FileProblem.lowerFirst(name.getReason()), name.getInput());
      case EOFException end -> "unexpected end of data: " + message(end);
      case IOException io -> problemFirst(io);
      case EngineFailedException failed -> message(failed);
      case EngineMemoryError memory -> message(memory);
      case MissingPortException missing -> message(missing);
      case OutOfMemoryError refusal when Threads.isRefusal(refusal) ->
          "the system refuses another thread: take fewer --threads, or raise its limit (ulimit -u)";
      case OutOfMemoryError _ ->
          "out of memory: the JVM has %s of heap; set FIELDSTONE_JAVA_OPTS=-Xmx… for more"
              .formatted(Units.bytes(Runtime.getRuntime().maxMemory()));
      case StackOverflowError _ -> "internal error: stack overflow";
      default -> isMalformedData(e) ? message(e) : internal(e);
    };
  }

  /** Tests for checked exceptions of the library, which report malformed data. */
  private static boolean isMalformedData(Throwable e) {
    return e instanceof Exception
        && !(e instanceof RuntimeException)
        && e.getClass().getName().startsWith("io.fieldstone.");
  }

  /** Moves the place behind the problem if the message begins with the place. */
  private static String problemFirst(IOException e) {
    String message = message(e);
    Throwable cause = e.getCause();
    if (cause != null && cause.getMessage() != null) {
      String problem = cause.getMessage();
      if (message.length() > problem.length() + 2 && message.endsWith(": " + problem)) {
        String place = message.substring(0, message.length() - problem.length() - 2);
        return FileProblem.lowerFirst(problem) + ": " + place;
      }
    }
    return FileProblem.lowerFirst(message);
  }

  private static String internal(Throwable e) {
    StackTraceElement[] trace = e.getStackTrace();
    String place = trace.length == 0 ? "unknown place" : trace[0].toString();
    return "internal error: %s: %s (--verbose shows the stack trace)".formatted(e, place);
  }

  private static String message(Throwable e) {
    return Optional.ofNullable(e.getMessage()).orElseGet(e::toString);
  }
}
