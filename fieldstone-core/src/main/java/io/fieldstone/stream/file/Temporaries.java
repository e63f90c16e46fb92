package io.fieldstone.stream.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Files being written under temporary names beside their targets. {@link #commit} moves them into
 * place; whatever ends the job before that, Ctrl-C included, deletes them.
 *
 * <p>Thread-safe: the hook that runs when the machine shuts down comes at any time.
 */
public final class Temporaries implements AutoCloseable {

  private record Entry(Path temporary, Path target, OpenFile file) {}

  private final List<Entry> entries = new ArrayList<>();
  private final Thread hook = new Thread(this::abandon, "fieldstone-temporaries");
  private boolean abandoned;

  /** No files yet; from now on a shutdown deletes them. */
  public Temporaries() {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      abandoned = true;
    }
  }

  /** Creates a temporary file that is to become {@code target}. */
  public synchronized OpenFile create(Path target) throws IOException {
    requireNotAbandoned();
    String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    Path temporary = target.resolveSibling(".fieldstone-" + random + ".tmp");
    OpenFile file = OpenFile.create(temporary, target);
    entries.add(new Entry(temporary, target, file));
    return file;
  }

  /** Closes every file and moves it into place, over what may be there. */
  public synchronized void commit() throws IOException {
    requireNotAbandoned();
    for (Entry entry : entries) {
      entry.file.close();
    }
    while (!entries.isEmpty()) {
      Entry entry = entries.getFirst();
      Files.move(entry.temporary, entry.target, StandardCopyOption.ATOMIC_MOVE);
      entries.removeFirst();
    }
  }

  /** Deletes what was not committed. */
  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // Shutting down: the hook runs or has run, and deletes the same files.
    }
    delete();
  }

  private void abandon() {
    synchronized (this) {
      abandoned = true;
    }
    try {
      delete();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void delete() throws IOException {
    IOException failure = null;
    for (Entry entry : entries) {
      try {
        Files.deleteIfExists(entry.temporary);
        entry.file.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    entries.clear();
    if (failure != null) {
      throw failure;
    }
  }

  private void requireNotAbandoned() throws IOException {
    if (abandoned) {
      throw new IOException("the machine is shutting down");
    }
  }
}
