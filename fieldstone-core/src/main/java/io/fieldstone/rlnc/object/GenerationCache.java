package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps generations of any number of objects for senders: their source bytes in host memory, and on
 * the engine once a coded block is wanted. The generations least recently used are removed first.
 * One in use stays, so the bytes exceed the bound by at most one generation of each sender.
 *
 * <p>Coded blocks are computed a few at a time and kept, so that receivers of one object share
 * them.
 *
 * <p>For one thread at a time, as are all objects that it opens. The caller owns the engine, which
 * must stay open until the cache is closed.
 */
public final class GenerationCache implements AutoCloseable {

  /** The encoders of removed generations that are kept for each object. */
  private static final int MAX_SPARE_ENCODERS = 2;

  private final Engine engine;
  private final long maxBytes;
  private final Map<Key, CachedGeneration> generations = new LinkedHashMap<>(16, 0.75f, true);
  private final List<SourceObject> objects = new ArrayList<>();
  private long bytes;

  private record Key(SourceObject object, int generation) {}

  /**
   * Creates an empty cache.
   *
   * @param engine keeps and encodes generations
   * @param maxBytes the maximum bytes of generations, on the host and on the engine together
   * @throws IllegalArgumentException if {@code maxBytes} is less than 1
   */
  public GenerationCache(Engine engine, long maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes " + maxBytes + " is less than 1");
    }
    this.engine = engine;
    this.maxBytes = maxBytes;
  }

  /**
   * Opens an object, of which nothing is read yet.
   *
   * @param manifest the object
   * @param seed Philox key of its coded blocks, which the receivers must know; senders of one
   *     object to one receiver need different seeds
   * @param source reads generations; the caller closes it after the object
   */
  public SourceObject open(ObjectManifest manifest, long seed, GenerationSource source) {
    SourceObject object = new SourceObject(this, manifest, seed, source);
    objects.add(object);
    return object;
  }

  /** Returns the bytes of the generations held, on the host and on the engine. */
  public long bytes() {
    return bytes;
  }

  /** Returns the number of generations held. */
  public int generations() {
    return generations.size();
  }

  /** Returns a generation, which stays until {@link #unpin}. */
  CachedGeneration pin(SourceObject object, int generation) throws IOException {
    Key key = new Key(object, generation);
    CachedGeneration held = generations.get(key);
    if (held == null) {
      held = read(object, generation);
      generations.put(key, held);
    }
    held.pins++;
    return held;
  }

  void unpin(CachedGeneration generation) {
    generation.pins--;
    makeRoom(0, 0);
  }

  private CachedGeneration read(SourceObject object, int generation) throws IOException {
    long size = object.manifest().shapeOf(generation).bytes();
    HostMemory memory = allocate(size);
    try {
      object.source().read(generation, memory.segment().asSlice(0, size));
    } catch (IOException | RuntimeException e) {
      free(memory);
      throw e;
    }
    return new CachedGeneration(this, object, generation, memory);
  }

  /** Returns host memory of exactly a size, that of a removed generation if it has this size. */
  HostMemory allocate(long size) {
    HostMemory reused = makeRoom(size, size);
    if (reused == null) {
      reused = engine.allocateHost(size);
      bytes += size;
    }
    return reused;
  }

  void free(HostMemory memory) {
    bytes -= memory.segment().byteSize();
    memory.close();
  }

  /** Returns an encoder that holds a generation. */
  Encoder encoder(CachedGeneration generation) {
    SourceObject object = generation.object();
    int number = generation.generation();
    long size = generation.shape().bytes();
    Encoder spare = generation.isFull() ? object.spareEncoders.pollLast() : null;
    if (spare == null) {
      makeRoom(size, 0);
      spare = new Encoder(engine, generation.shape(), number, object.seed());
      bytes += size;
    }
    spare.reset(number);
    return spare;
  }

  /**
   * Removes generations until {@code size} more bytes fit. Returns the memory of a removed
   * generation if it has {@code reusable} bytes.
   */
  private @Nullable HostMemory makeRoom(long size, long reusable) {
    HostMemory reused = null;
    Iterator<CachedGeneration> eldest = generations.values().iterator();
    while (bytes + size > maxBytes && eldest.hasNext()) {
      CachedGeneration generation = eldest.next();
      if (generation.pins == 0) {
        eldest.remove();
        HostMemory memory = remove(generation);
        if (reused == null && reusable > 0 && memory.segment().byteSize() == reusable) {
          reused = memory;
          size = 0;
        } else {
          free(memory);
        }
      }
    }
    return reused;
  }

  /** Frees all but the source bytes of a removed generation, and returns their memory. */
  private HostMemory remove(CachedGeneration generation) {
    generation.freeCoded();
    Encoder encoder = generation.takeEncoder();
    if (encoder != null) {
      if (generation.isFull() && generation.object().spareEncoders.size() < MAX_SPARE_ENCODERS) {
        generation.object().spareEncoders.addLast(encoder);
      } else {
        close(encoder);
      }
    }
    return generation.memory();
  }

  private void close(Encoder encoder) {
    bytes -= encoder.shape().bytes();
    encoder.close();
  }

  /** Removes one generation, for bytes that changed, or all of an object if it is negative. */
  void remove(SourceObject object, int generation) {
    generations
        .entrySet()
        .removeIf(entry -> {
          Key key = entry.getKey();
          boolean isRemoved =
              key.object() == object && (generation < 0 || key.generation() == generation);
          if (isRemoved) {
            free(remove(entry.getValue()));
          }
          return isRemoved;
        });
  }

  void close(SourceObject object) {
    remove(object, -1);
    object.spareEncoders.forEach(this::close);
    object.spareEncoders.clear();
    objects.remove(object);
  }

  /** Frees all generations and closes all objects. Idempotent. */
  @Override
  public void close() {
    List.copyOf(objects).forEach(SourceObject::close);
  }
}
