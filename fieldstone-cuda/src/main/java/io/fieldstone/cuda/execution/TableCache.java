package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.driver.PinnedBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Caches tables in device memory: computed at their first use, evicted in least-recently-used
 * order, and freed with the GPU. Thread-safe.
 */
public final class TableCache<K> {

  /** The maximum number of cached tables: tens of megabytes. */
  private static final int MAX_TABLES = 64;

  private final Gpu gpu;
  private final Maker<K> maker;
  private final Map<K, Entry> entries = new LinkedHashMap<>(MAX_TABLES, 0.75f, true);

  /** Computes tables. */
  public interface Maker<K> {
    long bytes(K key);

    /** Writes the tables of a key into {@link #bytes} zeroed bytes. */
    void write(K key, MemorySegment tables);
  }

  /** Uses tables. */
  public interface Use<T> {
    T apply(long address);
  }

  /** A cached table; guarded by the cache. */
  private static final class Entry {
    private final DeviceBuffer buffer;
    private int users;

    Entry(DeviceBuffer buffer) {
      this.buffer = buffer;
    }
  }

  public TableCache(Gpu gpu, Maker<K> maker) {
    this.gpu = gpu;
    this.maker = maker;
  }

  /** Runs {@code use} with the address of tables, which are not freed meanwhile. */
  public <T> T use(K key, Use<T> use) {
    Entry entry = enter(key);
    try {
      return use.apply(entry.buffer.address());
    } finally {
      leave(entry);
    }
  }

  /** Runs {@code use}, which has no result, with the address of tables. */
  public void run(K key, LongConsumer use) {
    Entry entry = enter(key);
    try {
      use.accept(entry.buffer.address());
    } finally {
      leave(entry);
    }
  }

  private synchronized Entry enter(K key) {
    Entry entry = entries.get(key);
    if (entry == null) {
      freeOldest();
      entry = new Entry(make(key));
      entries.put(key, entry);
    }
    entry.users++;
    return entry;
  }

  private synchronized void leave(Entry entry) {
    entry.users--;
  }

  private void freeOldest() {
    Iterator<Entry> oldest = entries.values().iterator();
    while (entries.size() >= MAX_TABLES && oldest.hasNext()) {
      Entry entry = oldest.next();
      if (entry.users == 0) {
        oldest.remove();
        entry.buffer.close();
      }
    }
  }

  private DeviceBuffer make(K key) {
    long bytes = maker.bytes(key);
    DeviceBuffer buffer = gpu.reserve(bytes);
    try (PinnedBuffer staging = gpu.context().allocatePinned(bytes)) {
      maker.write(key, staging.segment().fill((byte) 0));
      gpu.streams()
          .useOne(slot -> {
            slot.stream().upload(staging.segment(), buffer.address());
            slot.stream().synchronize();
          });
      return buffer;
    } catch (RuntimeException | Error e) {
      buffer.close();
      throw e;
    }
  }
}
