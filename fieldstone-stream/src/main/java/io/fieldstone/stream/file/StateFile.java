package io.fieldstone.stream.file;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A file with the state of a long run, from which the same run can be resumed. While it is open, no
 * other run can open it, because {@code FILE.lock} next to it is locked.
 *
 * <p>A state is written to {@code FILE.part}, forced to the disk and moved into place, so that the
 * file is complete or absent after any end of the process. The last state is also kept in memory.
 * On shutdown of the JVM, a hook writes it immediately.
 *
 * <p>The caller deletes the file after storing the result. Thread-safe, because the hook may run at
 * any time.
 */
public final class StateFile implements AutoCloseable {

  /** The keys of the lock files that this process holds. */
  private static final Set<Object> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final long intervalNs;
  private final Lock lock;
  private final Thread hook = new Thread(this::end, "fieldstone-checkpoint");

  /** The state after the last step, unless it is in the file. */
  private @Nullable Supplier<byte[]> unsaved;

  private long triedNs = System.nanoTime();

  /** Whether the lock is released; no writes follow. */
  private boolean isReleased;

  private StateFile(Path file, Duration interval, Lock lock) {
    this.file = file;
    this.intervalNs = interval.toNanos();
    this.lock = lock;
  }

  /**
   * Opens a file, which may be absent.
   *
   * @param file the file; links are followed
   * @param interval the minimum time between writes of the file
   * @throws IOException if another run has it open, or it cannot be locked
   * @throws CancellationException if the process is ending
   */
  public static StateFile open(Path file, Duration interval) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file;
    StateFile state = new StateFile(target, interval, Lock.of(target));
    try {
      Runtime.getRuntime().addShutdownHook(state.hook);
    } catch (IllegalStateException e) {
      state.close();
      throw new CancellationException("the process is shutting down");
    }
    return state;
  }

  private static Path beside(Path file, String ending) {
    return file.resolveSibling(file.getFileName() + ending);
  }

  /** Returns the file, with links followed. */
  public Path path() {
    return file;
  }

  /** Returns the bytes of the file; empty if it is absent. */
  public Optional<byte[]> read() throws IOException {
    return Files.exists(file)
        ? Optional.of(FileErrors.naming(file, () -> Files.readAllBytes(file)))
        : Optional.empty();
  }

  /**
   * Records the state after a step, and writes it if a write is due. A failure is only logged,
   * because the run can continue.
   *
   * @param state returns the bytes, now or on another thread later
   */
  public synchronized void note(Supplier<byte[]> state) {
    unsaved = state;
    if (System.nanoTime() - triedNs > intervalNs) {
      trySave();
    }
  }

  /** Writes the last state if the file does not have it; a failure is logged. */
  public synchronized void trySave() {
    try {
      save();
    } catch (IOException e) {
      System.getLogger(StateFile.class.getName())
          .log(Level.WARNING, "cannot write the checkpoint: " + e.getMessage());
    }
    triedNs = System.nanoTime();
  }

  /** Writes the last state if the file does not have it, also on an interrupted thread. */
  public synchronized void save() throws IOException {
    Supplier<byte[]> state = unsaved;
    if (state == null || isReleased) {
      return;
    }
    boolean isInterrupted = false;
    try {
      boolean isWritten = false;
      while (!isWritten) {
        isInterrupted |= Thread.interrupted(); // else the first write would close the channel
        try {
          write(state.get());
          isWritten = true;
        } catch (ClosedByInterruptException e) {
          isInterrupted = true;
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
    unsaved = null;
  }

  private void write(byte[] bytes) throws IOException {
    Path part = beside(file, ".part");
    boolean isMoved = false;
    try {
      Files.deleteIfExists(part); // a link, or of a run that was killed
      try (FileChannel channel =
          FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        channel.force(true);
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      isMoved = true;
    } catch (ClosedByInterruptException | FileSystemException e) {
      throw e;
    } catch (IOException e) { // of a channel, which does not know its file
      throw new IOException(file + ": " + e.getMessage(), e);
    } finally {
      if (!isMoved) {
        tryDelete(part);
      }
    }
    forceDirectory();
  }

  private static void tryDelete(Path part) {
    try {
      Files.deleteIfExists(part);
    } catch (IOException e) {
      // The failure before this one is thrown.
    }
  }

  /** Forces the new name to the disk. */
  private void forceDirectory() {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      } catch (IOException e) {
        // Not every file system can. The file itself is on the disk.
      }
    }
  }

  /** Deletes the file; call it after storing the result. */
  public synchronized void delete() throws IOException {
    unsaved = null;
    Files.deleteIfExists(file);
  }

  /** Releases the lock. Does not write: see {@link #trySave}. Idempotent. */
  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs, or has run.
    }
    release();
  }

  /** Called on shutdown of the JVM. */
  private synchronized void end() {
    try {
      save();
      release();
    } catch (IOException e) {
      // The runner's thread, which is interrupted, tries again and says so.
    }
  }

  private synchronized void release() throws IOException {
    if (!isReleased) {
      isReleased = true;
      lock.release();
    }
  }

  /**
   * A locked file next to a checkpoint.
   *
   * @param key the identity of the locked file; its path may name another file later
   */
  private record Lock(Path file, Object key, FileChannel channel) {

    static synchronized Lock of(Path checkpoint) throws IOException {
      Path file = beside(checkpoint, ".lock");
      while (true) {
        Optional<Object> key = key(file);
        // Not opened: by closing any channel, POSIX releases all locks of the process on the file.
        if (key.filter(HELD::contains).isPresent()) {
          throw inUse(checkpoint);
        }
        FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        try {
          if (channel.tryLock() == null) {
            throw inUse(checkpoint);
          }
          // The run before deletes its file, and a third may have made another since.
          if (key.isPresent() && key.equals(key(file))) {
            HELD.add(key.get());
            return new Lock(file, key.get(), channel);
          }
          channel.close();
        } catch (IOException e) {
          channel.close();
          throw e;
        }
      }
    }

    private static IOException inUse(Path checkpoint) {
      return new IOException("another run uses the checkpoint: " + checkpoint);
    }

    /** Returns the key of a file, or its path where the system has no keys; empty if absent. */
    private static Optional<Object> key(Path file) throws IOException {
      try {
        BasicFileAttributes attributes =
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Object key = attributes.fileKey();
        return Optional.of(key == null ? file.toRealPath() : key);
      } catch (NoSuchFileException e) {
        return Optional.empty();
      }
    }

    void release() throws IOException {
      Files.deleteIfExists(file);
      channel.close();
      HELD.remove(key);
    }
  }
}
