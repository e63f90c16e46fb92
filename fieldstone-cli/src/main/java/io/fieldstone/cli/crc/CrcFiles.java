package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StandardInput;
import io.fieldstone.crc.Crc;
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
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Hashes files for {@code crc} on all threads, and standard input, with a progress bar for large
 * inputs. Output is deferred while the bar is shown.
 */
final class CrcFiles implements AutoCloseable {

  /** The minimum total size in bytes for a progress bar. */
  private static final long BAR_THRESHOLD_BYTES = 256L << 20;

  private final Session session;
  private final Engine engine;
  private final @Nullable String method;
  private final List<Runnable> deferred = new ArrayList<>();
  private boolean hasBar;

  /** Opens the engine. */
  CrcFiles(Session session, @Nullable String method) {
    this.session = session;
    this.engine = session.openCores();
    this.method = method;
  }

  /**
   * Hashes files.
   *
   * @param results receives each result in order, on the calling thread
   */
  void hash(CrcModel model, List<Path> files, Consumer<FileHash> results)
      throws InterruptedException {
    long total = totalLength(files);
    hasBar = total >= BAR_THRESHOLD_BYTES;
    AtomicLong done = new AtomicLong();
    try (FileHasher hasher = hasher(model);
        Progress progress = hasBar ? session.progress("crc", total) : Progress.silent()) {
      hasBar = !(progress instanceof Progress.Silent);
      LongConsumer progressListener = bytes -> progress.accept(done.addAndGet(bytes));
      int from = 0;
      for (int at = 0; at < files.size(); at++) {
        if (InputFiles.isStandardStream(files.get(at))) {
          hasher.hashAll(files.subList(from, at), results, progressListener);
          results.accept(standardInput(hasher, files.get(at), progressListener));
          from = at + 1;
        }
      }
      hasher.hashAll(files.subList(from, files.size()), results, progressListener);
    } finally {
      hasBar = false;
      deferred.forEach(Runnable::run);
      deferred.clear();
    }
  }

  /**
   * Hashes one file.
   *
   * @throws IOException if it cannot be read
   */
  static FileHash.Hashed hashOf(Session session, @Nullable String method, CrcModel model, Path file)
      throws IOException, InterruptedException {
    List<FileHash> hashes = new ArrayList<>();
    try (CrcFiles files = new CrcFiles(session, method)) {
      files.hash(model, List.of(file), hashes::add);
    }
    return switch (hashes.getFirst()) {
      case FileHash.Hashed hashed -> hashed;
      case FileHash.Unreadable unreadable -> throw unreadable.cause();
    };
  }

  /**
   * Hashes files, each by several algorithms.
   *
   * @param results receives the results of the first algorithm in order, then those of the next
   */
  void hash(List<CrcModel> models, List<Path> files, BiConsumer<CrcModel, FileHash> results)
      throws InterruptedException {
    if (models.size() == 1) {
      hash(models.getFirst(), files, hash -> results.accept(models.getFirst(), hash));
      return;
    }
    List<Path> named = files.stream().filter(file -> !InputFiles.isStandardStream(file)).toList();
    for (Path stream : files.stream().filter(InputFiles::isStandardStream).limit(1).toList()) {
      standardInput(models, stream, results);
    }
    for (CrcModel model : models) {
      hash(model, named, hash -> results.accept(model, hash));
    }
  }

  /** Reads standard input once for all algorithms. */
  private void standardInput(
      List<CrcModel> models, Path name, BiConsumer<CrcModel, FileHash> results) {
    List<Crc> checksums = models.stream().map(Crc::of).toList();
    byte[] buffer = new byte[1 << 18];
    long length = 0;
    try {
      for (int read; (read = session.streams().in().read(buffer)) >= 0; length += read) {
        for (Crc checksum : checksums) {
          checksum.update(buffer, 0, read);
        }
      }
    } catch (IOException e) {
      results.accept(models.getFirst(), new FileHash.Unreadable(name, StandardInput.named(e)));
      return;
    }
    for (Crc checksum : checksums) {
      results.accept(checksum.model(), new FileHash.Hashed(name, checksum.value(), length));
    }
  }

  private FileHasher hasher(CrcModel model) {
    try {
      FileHasher hasher =
          method == null
              ? new FileHasher(model, engine, session.threads())
              : new FileHasher(model, engine, method, session.threads());
      return hasher.withPhaseListener(session.phases());
    } catch (IllegalArgumentException e) {
      throw session.usage("--method: " + e.getMessage());
    }
  }

  private FileHash standardInput(FileHasher hasher, Path name, LongConsumer progressListener)
      throws InterruptedException {
    AtomicLong length = new AtomicLong();
    try {
      return new FileHash.Hashed(
          name,
          hasher.hash(
              Channels.newChannel(session.streams().in()),
              bytes -> {
                length.addAndGet(bytes);
                progressListener.accept(bytes);
              }),
          length.get());
    } catch (IOException e) {
      return new FileHash.Unreadable(name, StandardInput.named(e));
    }
  }

  /**
   * Returns the total length of the regular files; unreadable files are reported when they are
   * hashed.
   */
  private static long totalLength(List<Path> files) {
    long total = 0;
    for (Path file : files) {
      try {
        total += Files.isRegularFile(file) ? Files.size(file) : 0;
      } catch (IOException _) {
        // reported when it is hashed
      }
    }
    return total;
  }

  /** Prints a line on standard output. */
  void println(String line) {
    runOrDefer(() -> session.streams().out().println(line));
  }

  /** Prints to standard error why a file could not be read, and returns it. */
  String explain(FileHash.Unreadable file) {
    String problem =
        Files.isDirectory(file.path())
            ? "is a directory: " + file.path()
            : ErrorLine.of(file.cause());
    warn(problem);
    return problem;
  }

  /** Prints a line to standard error, after the lines before it. */
  void warn(String problem) {
    runOrDefer(() -> {
      session.streams().out().flush();
      session.streams().err().println(ErrorLine.failure(problem));
    });
  }

  private void runOrDefer(Runnable printing) {
    if (hasBar) {
      deferred.add(printing);
    } else {
      printing.run();
    }
  }

  @Override
  public void close() {
    engine.close();
  }
}
