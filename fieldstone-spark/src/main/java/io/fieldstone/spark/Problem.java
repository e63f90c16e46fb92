package io.fieldstone.spark;

import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.stream.file.FileProblem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.spark.SparkException;

/** Describes failures in one line, with the problem first and its place behind it. */
public final class Problem {

  private static final int MAX_LENGTH = 500;
  private static final String DENIED = "Permission denied";

  /** The message for a task that runs out of memory. */
  static final String TOO_LITTLE_MEMORY =
      "an executor has too little memory: give it more with --conf"
          + " spark.executor.memory=… (of a local master: --driver-memory), or make tasks smaller"
          + " with --split";

  private Problem() {}

  /**
   * Returns the problem if the input or the output is the cause, so that repeating the task does
   * not help.
   */
  public static Optional<String> ofInput(IOException e) {
    return switch (e) {
      case JobFailedException failed -> Optional.of(line(failed));
      case FileNotFoundException missing -> Optional.of(missing(line(missing)));
      case FileSystemException other -> Optional.of(cut(FileProblem.reasonFirst(other)));
      case AccessControlException denied -> Optional.of(FileProblem.DENIED + ": " + line(denied));
      case FileAlreadyExistsException exists ->
          Optional.of(FileProblem.EXISTS + ": " + line(exists));
      case ParentNotDirectoryException other ->
          Optional.of(FileProblem.NO_FOLDER + ": " + line(other));
      case UnsupportedFileSystemException other -> Optional.of(line(other));
      case PathIOException other -> Optional.of(line(other));
      default -> isOfFieldstone(e) ? Optional.of(line(e)) : Optional.empty();
    };
  }

  private static String missing(String message) {
    int denied = message.indexOf(" (" + DENIED + ")");
    if (denied >= 0) {
      return FileProblem.DENIED + ": " + message.substring(0, denied);
    }
    String file =
        message
            .replaceFirst("^File (.*) does not exist.*$", "$1")
            .replaceFirst(" \\(No such file or directory\\)$", "");
    return FileProblem.MISSING + ": " + file;
  }

  private static boolean isOfFieldstone(IOException e) {
    return e.getClass().getName().startsWith("io.fieldstone.");
  }

  /** Returns whether a failure of a job is that data is lost for good. */
  public static boolean isNotRestorable(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof JobFailedException failed && failed.isNotRestorable()) {
        return true;
      }
    }
    return false;
  }

  /** Returns one line for any failure of a job. */
  public static String of(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException io) {
        Optional<String> problem = ofInput(io);
        if (problem.isPresent()) {
          return problem.get();
        }
      }
      if (cause instanceof EngineMemoryError) {
        return line(cause);
      }
      if (cause instanceof OutOfMemoryError) {
        return TOO_LITTLE_MEMORY;
      }
    }
    String line = line(e);
    if (e instanceof SparkException || line.contains("Job aborted")) {
      return ofSpark(line);
    }
    return e instanceof IOException || e instanceof IllegalArgumentException
        ? line
        : e.getClass().getSimpleName() + ": " + line;
  }

  /** Shortens Spark's message of a failed stage to the failure of its last task. */
  private static String ofSpark(String line) {
    if (line.contains("OutOfMemoryError") || line.contains("ExitCode 52")) {
      return TOO_LITTLE_MEMORY;
    }
    int last = line.indexOf("most recent failure: ");
    String cause = last < 0 ? line : line.substring(last + "most recent failure: ".length());
    return "a task failed: " + cut(cause.replaceFirst(" at [\\w.$]+\\(.*$", ""));
  }

  private static String line(Throwable e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return cut(message.strip().replaceAll("\\s+", " "));
  }

  private static String cut(String text) {
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
  }
}
