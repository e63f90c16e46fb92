package io.fieldstone.cli.console;

import io.fieldstone.stream.file.FileProblem;
import java.nio.file.FileAlreadyExistsException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/**
 * Reports that a command failed, with the problem and its place. The exit status is 1, or {@value
 * #NOT_RESTORABLE} if data is lost.
 */
public final class Failure extends Exception {

  private static final long serialVersionUID = 1L;

  /** The exit status if blocks are lost for good: a repair or a decoder cannot restore them. */
  public static final int NOT_RESTORABLE = 3;

  private final boolean isReported;
  private final int status;

  /**
   * @param problem a short description that begins in lower case
   * @param place the file, stream or engine concerned
   */
  public Failure(String problem, Object place) {
    this(problem + ": " + place, false, ExitCode.SOFTWARE, null);
  }

  public Failure(String problem, Object place, Throwable cause) {
    this(problem + ": " + place, false, ExitCode.SOFTWARE, cause);
  }

  private Failure(String message, boolean isReported, int status, @Nullable Throwable cause) {
    super(message, cause);
    this.isReported = isReported;
    this.status = status;
  }

  /** Returns the failure with exit status {@value #NOT_RESTORABLE}. */
  public static Failure notRestorable(String problem, Object place) {
    return new Failure(problem + ": " + place, false, NOT_RESTORABLE, null);
  }

  /** Returns the failure with the line of its cause. */
  public static Failure of(Exception cause) {
    return new Failure(ErrorLine.of(cause), false, ExitCode.SOFTWARE, cause);
  }

  /** Returns the failure with the line of its cause, and exit status {@value #NOT_RESTORABLE}. */
  public static Failure notRestorable(Exception cause) {
    return new Failure(ErrorLine.of(cause), false, NOT_RESTORABLE, cause);
  }

  /**
   * Returns the failure of a command whose output shows it already; only {@code --json} adds it.
   */
  public static Failure reported(String problem, Object place) {
    return new Failure(problem + ": " + place, true, ExitCode.SOFTWARE, null);
  }

  /** Tests whether the output of the command shows the failure already. */
  public boolean isReported() {
    return isReported;
  }

  /** Returns the exit status. */
  public int status() {
    return status;
  }

  /** Returns the failure for an existing output, which only {@code --force} replaces. */
  public static Failure exists(FileAlreadyExistsException e) {
    return new Failure(FileProblem.EXISTS + " (--force replaces it)", e.getFile(), e);
  }
}
