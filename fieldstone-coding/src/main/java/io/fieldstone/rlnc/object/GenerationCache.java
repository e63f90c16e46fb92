package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps generations of any number of objects for senders: their source bytes in host memory, and on
 * the engine once a coded block is wanted. The generations least recently used are removed first.
 * One in use stays, so the bytes exceed the bound by at most one generation of each sender.
 *
 * {@snippet :
 * try (GenerationCache cache = new GenerationCache(engine, 1 << 30);
 *     SourceObject object = cache.open(manifest, seed, source);
 *     ObjectSender sender = new ObjectSender(object, alias)) {
 *   serve(sender);
 * }
 * }
 *
 * <p>Generations are read by a loader, on other threads if that is wanted. Until one has been read,
 * its senders send others.
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

  /** The bound divided by the bytes up to which generations share an allocation. */
  private static final int MIN_ALLOCATIONS = 64;

  /** A loader that reads inside {@link ObjectSender#next}. */
  public static final Consumer<GenerationLoad> INLINE = GenerationLoad::run;

  private final Engine engine;
  private final long maxBytes;
  private final Consumer<GenerationLoad> loader;
  private final Map<Key, CachedGeneration> generations = new LinkedHashMap<>(16, 0.75f, true);
  private final List<SourceObject> objects = new ArrayList<>();
  private final Set<GenerationLoad> loads = new HashSet<>();
  private final SharedAllocations allocations;

  /** The bytes of generations on the engine. */
  private long encoderBytes;

  /** The bytes of generations that cannot be removed now. */
  private long pinnedBytes;

  private record Key(SourceObject object, int generation) {}

  /** Creates an empty cache with the loader {@link #INLINE}. */
  public GenerationCache(Engine engine, long maxBytes) {
    this(engine, maxBytes, INLINE);
  }

  /**
   * Creates an empty cache.
   *
   * @param engine keeps and encodes generations
   * @param maxBytes the maximum bytes of generations, on the host and on the engine together
   * @param loader takes a load. It runs the load on any thread, and then calls {@link
   *     GenerationLoad#finish} on the thread of the cache
   * @throws IllegalArgumentException if {@code maxBytes} is less than 1
   */
  public GenerationCache(Engine engine, long maxBytes, Consumer<GenerationLoad> loader) {
    engine.requireOpen();
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes " + maxBytes + " is less than 1");
    }
    this.engine = engine;
    this.maxBytes = maxBytes;
    this.loader = loader;
    this.allocations =
        new SharedAllocations(
            engine::allocateHost,
            Math.min(SharedAllocations.MAX_SHARED_BYTES, maxBytes / MIN_ALLOCATIONS));
  }

  /**
   * Opens an object, of which nothing is read yet.
   *
   * @param manifest the object
   * @param seed Philox key of its coded blocks, which the receivers must know; senders of one
   *     object to one receiver need different seeds
   * @param source reads generations, on the threads of the loader; the caller closes it after the
   *     object
   */
  public SourceObject open(ObjectManifest manifest, long seed, GenerationSource source) {
    SourceObject object = new SourceObject(this, manifest, seed, source);
    objects.add(object);
    return object;
  }

  /** Returns the bytes of the generations held, on the host and on the engine. */
  public long bytes() {
    return allocations.bytes() + encoderBytes;
  }

  /** Returns the number of generations held. */
  public int generations() {
    return generations.size();
  }

  /** Returns a generation, whose load may not have ended; it stays until {@link #unpin}. */
  CachedGeneration pin(SourceObject object, int generation) {
    Key key = new Key(object, generation);
    CachedGeneration held = generations.get(key);
    if (held != null) {
      addPin(held);
      return held;
    }
    held =
        new CachedGeneration(
            this, object, generation, allocate(object.manifest().shapeOf(generation).bytes()));
    generations.put(key, held);
    addPin(held);
    load(held);
    return held;
  }

  private void load(CachedGeneration generation) {
    GenerationLoad load = new GenerationLoad(generation);
    addPin(generation);
    loads.add(load);
    loader.accept(load);
    if (load.isDone()) {
      finish(load);
    }
  }

  private void addPin(CachedGeneration generation) {
    if (generation.pins++ == 0) {
      pinnedBytes += generation.memory().segment().byteSize();
    }
  }

  private void removePin(CachedGeneration generation) {
    if (--generation.pins == 0) {
      pinnedBytes -= generation.memory().segment().byteSize();
      if (generation.isRemoved) {
        remove(generation).close();
      }
    }
  }

  void unpin(CachedGeneration generation) {
    removePin(generation);
    makeRoom(0, 0);
  }

  /** Takes a load that has run, once. */
  void finish(GenerationLoad load) {
    if (!loads.remove(load)) {
      return;
    }
    CachedGeneration generation = load.cached();
    generation.loaded(load.failure());
    if (load.failure() != null && !generation.isRemoved) {
      generation.isRemoved = true;
      generations.remove(new Key(generation.object(), generation.generation()));
    }
    List<ObjectSender> waiting = List.copyOf(generation.waiting);
    generation.waiting.clear();
    waiting.forEach(ObjectSender::loaded);
    unpin(generation);
  }

  /** Returns true if the bytes of a generation are held. */
  boolean isLoaded(SourceObject object, int generation) {
    CachedGeneration held = generations.get(new Key(object, generation));
    return held != null && !held.isLoading;
  }

  /** Returns true if so many more bytes can be in use within the bound. */
  boolean hasRoom(long size) {
    return pinnedBytes + size <= maxBytes;
  }

  /** Returns host memory of exactly a size, that of a removed generation if it has this size. */
  HostMemory allocate(long size) {
    HostMemory reused = makeRoom(allocations.isFree(size) ? 0 : size, size);
    return reused != null ? reused : allocations.allocate(size, maxBytes - bytes());
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
      encoderBytes += size;
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
    while (bytes() + size > maxBytes && eldest.hasNext()) {
      CachedGeneration generation = eldest.next();
      if (generation.pins == 0) {
        eldest.remove();
        HostMemory memory = remove(generation);
        if (reused == null && reusable > 0 && memory.segment().byteSize() == reusable) {
          reused = memory;
          size = 0;
        } else {
          memory.close();
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
    encoderBytes -= encoder.shape().bytes();
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
            entry.getValue().isRemoved = true;
            if (entry.getValue().pins == 0) {
              remove(entry.getValue()).close();
            }
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

  /**
   * Frees all generations and closes all objects. A generation that is being read now is freed when
   * its load ends ({@link GenerationLoad#finish}). Idempotent.
   */
  @Override
  public void close() {
    List.copyOf(objects).forEach(SourceObject::close);
    for (GenerationLoad load : List.copyOf(loads)) {
      load.cancel();
      if (load.isDone()) {
        finish(load);
      }
    }
  }
}
