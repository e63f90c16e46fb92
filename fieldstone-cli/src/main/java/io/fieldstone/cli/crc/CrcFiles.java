package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StandardInput;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.FileHash;
import io.fieldstone.crc.FileHasher;
import io.fieldstone.engine.Engine;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Hashes files for {@code crc}: several at once, standard input among them, with a bar if there is
 * much to read. While the bar is there, what is printed waits.
 */
final class CrcFiles implements AutoCloseable {

  /** For each file that is read at once; a GPU wants large pieces. */
  private static final long MEMORY = 24L << 20;

  /** Less than this is read before a bar could be looked at. */
  private static final long BAR_THRESHOLD = 256L << 20;

  private final Session session;
  private final Engine engine;
  private final @Nullable String method;
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean hasBar;

  /** Opens the engine. */
  CrcFiles(Session session, @Nullable String method) {
    this.session = session;
    this.engine = session.isAutoEngine() ? session.openEngine("cpu") : session.openEngine();
    this.method = method;
  }

  /**
   * Hashes files.
   *
   * @param results is told of each, in order, on the calling thread
   */
  void hash(CrcModel model, List<Path> files, Consumer<FileHash> results)
      throws InterruptedException {
    long total = totalLength(files);
    hasBar = total >= BAR_THRESHOLD;
    AtomicLong done = new AtomicLong();
    try (FileHasher hasher = hasher(model);
        Progress progress = hasBar ? session.progress("crc", total) : Progress.silent()) {
      hasBar = !(progress instanceof Progress.Silent);
      LongConsumer told = bytes -> progress.accept(done.addAndGet(bytes));
      int from = 0;
      for (int at = 0; at < files.size(); at++) {
        if (InputFiles.isStandardStream(files.get(at))) {
          hasher.hashAll(files.subList(from, at), session.threads(), results, told);
          results.accept(standardInput(hasher, files.get(at), told));
          from = at + 1;
        }
      }
      hasher.hashAll(files.subList(from, files.size()), session.threads(), results, told);
    } finally {
      hasBar = false;
      waiting.forEach(Runnable::run);
      waiting.clear();
    }
  }

  private FileHasher hasher(CrcModel model) {
    try {
      return method == null
          ? new FileHasher(model, engine, MEMORY)
          : new FileHasher(model, engine, method, MEMORY);
    } catch (IllegalArgumentException e) {
      throw session.usage("--method: " + e.getMessage());
    }
  }

  private FileHash standardInput(FileHasher hasher, Path name, LongConsumer told)
      throws InterruptedException {
    AtomicLong length = new AtomicLong();
    try {
      return new FileHash.Hashed(
          name,
          hasher.hash(
              Channels.newChannel(session.streams().in()),
              bytes -> {
                length.addAndGet(bytes);
                told.accept(bytes);
              }),
          length.get());
    } catch (IOException e) {
      return new FileHash.Unreadable(name, StandardInput.named(e));
    }
  }

  /** A file that cannot be read is found out about when its turn comes. */
  private static long totalLength(List<Path> files) {
    long total = 0;
    for (Path file : files) {
      try {
        total += Files.isRegularFile(file) ? Files.size(file) : 0;
      } catch (IOException _) {
        // nothing to add
      }
    }
    return total;
  }

  /** Prints a line on standard output. */
  void println(String line) {
    whenThereIsNoBar(() -> session.streams().out().println(line));
  }

  /** Says on standard error why a file could not be read. */
  void explain(FileHash.Unreadable file) {
    String why =
        Files.isDirectory(file.path())
            ? "is a directory: " + file.path()
            : ErrorLine.of(file.cause());
    whenThereIsNoBar(() -> {
      session.streams().out().flush();
      session.warn(why);
    });
  }

  private void whenThereIsNoBar(Runnable printing) {
    if (hasBar) {
      waiting.add(printing);
    } else {
      printing.run();
    }
  }

  @Override
  public void close() {
    engine.close();
  }
}
