package io.fieldstone.net.fetch;

import io.fieldstone.rlnc.crypto.GenerationContent;
import io.fieldstone.rlnc.object.GenerationHashes;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Writes an object to a stream in order, each byte once it is verified: a generation when its hash
 * is right, a source block when its leaf is. An encrypted generation is authenticated as a whole,
 * so its blocks are not written alone. A thread of its own waits for a slow reader; so many
 * generations are held in memory as the window has.
 */
final class OrderedOutput implements Destination {

  private final OutputStream stream;
  private final String name;
  private final long windowBytes;
  private final Runnable onProgress;
  private final Map<Integer, byte[]> complete = new HashMap<>();
  private final Map<Integer, Map<Integer, byte[]>> blocks = new HashMap<>();
  private Optional<GenerationContent> content = Optional.empty();
  private Optional<IOException> failure = Optional.empty();
  private Optional<Thread> writer = Optional.empty();
  private int window;
  private int generation;
  private int written;
  private boolean isClosed;

  /**
   * Creates an output.
   *
   * @param stream flushed after each write, not closed
   * @param name the name of the stream in exceptions
   * @param windowBytes the memory for generations that wait for their turn
   * @param onProgress called on another thread when {@link #limit} has grown, or writing failed
   */
  OrderedOutput(OutputStream stream, String name, long windowBytes, Runnable onProgress) {
    this.stream = stream;
    this.name = name;
    this.windowBytes = windowBytes;
    this.onProgress = onProgress;
  }

  @Override
  public synchronized BitSet begin(GenerationHashes hashes, GenerationContent object, int threads) {
    content = Optional.of(object);
    long generationBytes = hashes.manifest().shape().bytes();
    window = Math.clamp(windowBytes / generationBytes, 2, Integer.MAX_VALUE / 2);
    writer = Optional.of(Thread.ofPlatform().daemon().name("fieldstone-output").start(this::run));
    return new BitSet();
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public synchronized int limit() {
    return generation + window;
  }

  @Override
  public synchronized void verified(int verified, MemorySegment bytes) throws IOException {
    requireNoFailure();
    blocks.remove(verified);
    if (verified >= generation) { // else its blocks were all written
      complete.put(verified, bytes.toArray(ValueLayout.JAVA_BYTE));
      notifyAll();
    }
  }

  /** Returns the number of generations of which bytes wait. */
  synchronized int waitingGenerations() {
    Set<Integer> waiting = new HashSet<>(complete.keySet());
    waiting.addAll(blocks.keySet());
    return waiting.size();
  }

  @Override
  public synchronized void sourceVerified(int verified, int position, MemorySegment block) {
    // A server may send leaves that were not asked for, so blocks of ciphertext come here, too.
    if (verified >= generation
        && !complete.containsKey(verified)
        && !content.orElseThrow().isEncrypted()) {
      blocks
          .computeIfAbsent(verified, _ -> new HashMap<>())
          .put(position, block.toArray(ValueLayout.JAVA_BYTE));
      if (verified == generation) {
        notifyAll();
      }
    }
  }

  private void requireNoFailure() throws IOException {
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private void run() {
    try {
      while (true) {
        Optional<byte[]> piece = next();
        if (piece.isEmpty()) {
          return;
        }
        byte[] bytes = piece.get();
        stream.write(bytes);
        stream.flush();
        if (advance(bytes.length)) {
          onProgress.run();
        }
      }
    } catch (IOException e) {
      synchronized (this) {
        failure = Optional.of(new IOException(name + ": " + e.getMessage(), e));
        notifyAll();
      }
      onProgress.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the next bytes in order, of one generation; empty at the end. */
  private synchronized Optional<byte[]> next() throws InterruptedException {
    GenerationContent object = content.orElseThrow();
    int k = object.manifest().shape().blockSize();
    while (!isClosed && generation < object.manifest().generations()) {
      byte[] all = complete.get(generation);
      if (all != null) {
        return Optional.of(written == 0 ? all : Arrays.copyOfRange(all, written, all.length));
      }
      byte[] some = firstBlocks(k, (int) object.bytesOf(generation) - written);
      if (some.length > 0) {
        return Optional.of(some);
      }
      wait();
    }
    return Optional.empty();
  }

  /** Joins the blocks that follow the written bytes, at most {@code rest} bytes. */
  private byte[] firstBlocks(int k, int rest) {
    Map<Integer, byte[]> some = blocks.getOrDefault(generation, Map.of());
    int first = written / k;
    int end = first;
    while (some.containsKey(end)) {
      end++;
    }
    byte[] joined = new byte[Math.min((end - first) * k, rest)];
    for (int position = first; position < end; position++) {
      byte[] block = Objects.requireNonNull(some.get(position));
      int at = (position - first) * k;
      System.arraycopy(block, 0, joined, at, Math.min(k, joined.length - at));
    }
    return joined;
  }

  /** Notes that bytes were written; returns true if a generation has ended. */
  private synchronized boolean advance(int length) {
    written += length;
    if (written < content.orElseThrow().bytesOf(generation)) {
      return false;
    }
    complete.remove(generation);
    blocks.remove(generation);
    generation++;
    written = 0;
    notifyAll();
    return true;
  }

  @Override
  public synchronized Optional<IOException> failure() {
    return failure;
  }

  @Override
  public synchronized void commit() throws IOException, InterruptedException {
    while (generation < content.orElseThrow().manifest().generations()) {
      requireNoFailure();
      wait();
    }
    requireNoFailure();
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    notifyAll();
    writer.ifPresent(Thread::interrupt);
  }
}
