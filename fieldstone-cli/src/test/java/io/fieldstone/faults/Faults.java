package io.fieldstone.faults;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The operations of this JVM that change the disk below a directory, and what becomes of one of
 * them. Thread-safe.
 */
public final class Faults {

  /** The kind of an operation. */
  public enum Kind {
    CREATE,
    MAKE_DIRECTORY,
    WRITE,
    FORCE,
    MOVE,
    LINK,
    DELETE,
    ATTRIBUTE
  }

  /** The effect that replaces an operation. */
  public enum Effect {
    /** The process ends, as by SIGKILL. */
    HALT,
    /** As if the process had ended: no later operation changes the disk. */
    STOP,
    /** The operation fails, once. */
    ERROR
  }

  /**
   * An operation that was done.
   *
   * @param kind the kind of the operation
   * @param file to which
   * @param target where that was moved, or linked to
   */
  public record Operation(Kind kind, Path file, Optional<Path> target) {}

  /** Thrown at the operation at which a process is taken to end. */
  public static final class Stopped extends Error {
    private static final long serialVersionUID = 1L;

    Stopped() {
      super("the process has ended here");
    }
  }

  /** {@code KIND:N} ends the process at the N-th operation of a kind. */
  private static final String HALT_PROPERTY = "fieldstone.test.halt";

  /** If {@code true}, no temporary file can be deleted. */
  private static final String UNDELETABLE_PROPERTY = "fieldstone.test.undeletable";

  private static final Faults INSTANCE = new Faults();

  private final List<Operation> done = new ArrayList<>();
  private Path root = Path.of("/nonexistent");
  private Effect effect = Effect.HALT;
  private Optional<Kind> kind = Optional.empty();
  private long at = Long.MAX_VALUE;
  private boolean isStopped;
  private boolean isUndeletable;
  private Optional<Operation> struck = Optional.empty();
  private final Map<Path, Long> unreadable = new HashMap<>();
  private Optional<Path> slow = Optional.empty();
  private Optional<Path> full = Optional.empty();
  private Optional<Path> unopenable = Optional.empty();
  private int refusedFiles;
  private int refusedDirectories;
  private int waiting;

  private Faults() {}

  /** Those of this JVM. */
  public static Faults ofThisJvm() {
    return INSTANCE;
  }

  /** Begins to count operations below a directory; the {@code number}-th has the effect. */
  public synchronized void begin(Path directory, Effect newEffect, long number) {
    root = directory;
    effect = newEffect;
    kind = Optional.empty();
    at = number;
    isStopped = false;
    struck = Optional.empty();
    done.clear();
  }

  /** Returns the faults of the system properties, for a JVM that runs an unchanged program. */
  synchronized void beginByProperties() {
    isUndeletable = Boolean.getBoolean(UNDELETABLE_PROPERTY);
    String halt = System.getProperty(HALT_PROPERTY);
    if (halt != null) {
      begin(Path.of("/"), Effect.HALT, Long.parseLong(halt.substring(halt.indexOf(':') + 1)));
      kind = Optional.of(Kind.valueOf(halt.substring(0, halt.indexOf(':'))));
    }
  }

  /** Ends counting; the disk can be changed again. */
  public synchronized void end() {
    begin(Path.of("/nonexistent"), Effect.ERROR, Long.MAX_VALUE);
  }

  /** The operations since {@link #begin}, but for one that had the effect. */
  public synchronized List<Operation> done() {
    return List.copyOf(done);
  }

  /** The operation that had the effect. */
  public synchronized Optional<Operation> struck() {
    return struck;
  }

  /** Lets no read of files below a directory end until {@link #releaseReads}. */
  public synchronized void holdReads(Path directory) {
    slow = Optional.of(directory);
  }

  /** Waits until a read is held. */
  public synchronized void awaitHeldRead() throws InterruptedException {
    while (waiting == 0) {
      wait();
    }
  }

  /** Lets reads end. */
  public synchronized void releaseReads() {
    slow = Optional.empty();
    notifyAll();
  }

  /** Lets all writes below a directory fail until {@link #empty}. */
  public synchronized void fill(Path directory) {
    full = Optional.of(directory);
  }

  /** Lets writes succeed. */
  public synchronized void empty() {
    full = Optional.empty();
  }

  /** Makes a byte of a file unreadable, as a bad sector does; it stays so after a write. */
  public synchronized void makeUnreadable(Path file, long at) {
    unreadable.put(file, at);
  }

  /** Called before a read at a position. */
  synchronized void beforeRead(Path file, long position, int bytes) throws IOException {
    long at = unreadable.getOrDefault(file, -1L);
    if (at >= position && at < position + bytes) {
      throw new FileSystemException(file.toString(), null, "Input/output error");
    }
    beforeRead(file);
  }

  /** Lets nothing below a directory be opened until {@link #allowOpens}. */
  public synchronized void refuseOpens(Path directory) {
    unopenable = Optional.of(directory);
    refusedFiles = 0;
    refusedDirectories = 0;
  }

  /** Waits until this many files and directories could not be opened. */
  public synchronized void awaitRefusedOpens(int files, int directories)
      throws InterruptedException {
    while (refusedFiles < files || refusedDirectories < directories) {
      wait();
    }
  }

  /** Lets files and directories be opened. */
  public synchronized void allowOpens() {
    unopenable = Optional.empty();
  }

  /** Called before a file or a directory is opened, which takes a descriptor. */
  synchronized void beforeOpen(Path file, boolean isDirectory) throws IOException {
    if (unopenable.isPresent() && file.startsWith(unopenable.get())) {
      if (isDirectory) {
        refusedDirectories++;
      } else {
        refusedFiles++;
      }
      notifyAll();
      throw new FileSystemException(file.toString(), null, "Too many open files");
    }
  }

  /** Called before a read. */
  synchronized void beforeRead(Path file) throws IOException {
    waiting++;
    try {
      while (slow.isPresent() && file.startsWith(slow.get())) {
        notifyAll();
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      waiting--;
    }
  }

  /**
   * Called before an operation.
   *
   * @return whether to do it; otherwise it is to be taken for done
   * @throws IOException if it fails
   */
  synchronized boolean before(Kind operation, Path file, Path target) throws IOException {
    if (isUndeletable
        && operation == Kind.DELETE
        && file.getFileName().toString().startsWith(".fieldstone-")) {
      throw error(operation, file);
    }
    if (operation == Kind.WRITE && full.isPresent() && file.startsWith(full.get())) {
      throw error(operation, file);
    }
    if (!file.startsWith(root)) {
      return true;
    }
    if (isStopped) {
      if (operation == Kind.CREATE || operation == Kind.MAKE_DIRECTORY) {
        throw new Stopped();
      }
      return false;
    }
    Operation next = new Operation(operation, file, Optional.ofNullable(target));
    if (kind.isEmpty() || kind.get() == operation) {
      at--;
    }
    if (at > 0) {
      done.add(next);
      return true;
    }
    struck = Optional.of(next);
    at = Long.MAX_VALUE;
    switch (effect) {
      case HALT -> Runtime.getRuntime().halt(137);
      case STOP -> isStopped = true;
      case ERROR -> throw error(operation, file);
    }
    throw new Stopped();
  }

  /** As the system says it: of a channel without the name of the file. */
  private static IOException error(Kind operation, Path file) {
    return switch (operation) {
      case WRITE -> new IOException("No space left on device");
      case FORCE -> new IOException("Input/output error");
      default -> new FileSystemException(file.toString(), null, "Input/output error");
    };
  }
}
