package io.fieldstone.net.catalogue;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/** Hashes files into offers, each with several threads. For one caller at a time. */
final class FileHasher implements AutoCloseable {

  private static final Sha256 NO_ROOT = Sha256.hash(ByteBuffer.allocate(0));

  private final GenerationShape shape;
  private final int threads;
  private final ExecutorService workers;

  FileHasher(GenerationShape shape, int threads) {
    this.shape = shape;
    this.threads = threads;
    this.workers =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("fieldstone-hash-", 0).factory());
  }

  /**
   * Hashes a file.
   *
   * @param hashed called with the bytes of each generation, by several threads
   * @throws FileChangedException if the file changes meanwhile
   */
  Offer hash(String name, Path file, LongConsumer hashed) throws IOException, InterruptedException {
    FileStamp stamp = FileStamp.of(file);
    // A manifest without its root, for the numbers of generations.
    ObjectManifest sizes = new ObjectManifest(shape, stamp.bytes(), Optional.empty(), NO_ROOT);
    HashList hashes = new HashList(sizes.generations());
    try (OpenFile opened = OpenFile.read(file)) {
      run(sizes, opened, hashes, hashed);
    } catch (IOException e) {
      if (!FileStamp.of(file).equals(stamp)) {
        throw new FileChangedException(file);
      }
      throw e;
    }
    if (!FileStamp.of(file).equals(stamp)) {
      throw new FileChangedException(file);
    }
    ObjectManifest manifest =
        new ObjectManifest(shape, stamp.bytes(), Optional.empty(), new HashTree().object(hashes));
    return new Offer(name, file, stamp, manifest, hashes);
  }

  private void run(ObjectManifest sizes, OpenFile opened, HashList hashes, LongConsumer hashed)
      throws IOException, InterruptedException {
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> tasks = new ArrayList<>();
    for (int i = 0; i < Math.min(threads, sizes.generations()); i++) {
      tasks.add(workers.submit(() -> hashFrom(next, sizes, opened, hashes, hashed)));
    }
    try {
      for (Future<?> task : tasks) {
        task.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UncheckedIOException unchecked) {
        throw unchecked.getCause();
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      next.set(Integer.MAX_VALUE / 2);
      awaitAll(tasks);
    }
  }

  /** Waits until no task uses the file. */
  private static void awaitAll(List<Future<?>> tasks) {
    boolean isInterrupted = Thread.interrupted();
    for (Future<?> task : tasks) {
      while (true) {
        try {
          task.get();
          break;
        } catch (InterruptedException _) {
          isInterrupted = true;
        } catch (ExecutionException _) {
          break;
        }
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void hashFrom(
      AtomicInteger next,
      ObjectManifest sizes,
      OpenFile opened,
      HashList hashes,
      LongConsumer hashed) {
    HashTree tree = new HashTree();
    int k = sizes.shape().blockSize();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(sizes.shape().bytes());
      for (int generation = next.getAndIncrement();
          generation < sizes.generations();
          generation = next.getAndIncrement()) {
        MemorySegment source = memory.asSlice(0, sizes.shapeOf(generation).bytes());
        long bytes = sizes.bytesOf(generation);
        Offer.read(opened, generation * sizes.shape().bytes(), bytes, source);
        hashes.set(generation, tree.generation(source, k));
        hashed.accept(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    workers.close();
  }
}
