package io.fieldstone.net.relay;

import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.GenerationStore;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * The generations of one object in a file of the {@link DiskCache}, which has a slot of n·k bytes
 * for each generation. If the file cannot be written, the generations last verified are in memory.
 * A table comes before the slots, of 4 bytes for each: the number of the generation in the slot
 * plus 1, or 0 for none. Every generation is verified when it is read, so nothing depends on how
 * the last process ended.
 *
 * <p>If the cache is full, the generation least recently used gives its slot away. For one thread,
 * but {@link #read} is thread-safe.
 */
final class CachedObject implements GenerationStore, AutoCloseable {

  /** The generations that an open object may always keep, even if the cache is full. */
  static final int MIN_GENERATIONS = 16;

  private static final ValueLayout.OfInt NUMBER =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final DiskCache cache;
  private final GenerationHashes hashes;

  /** Empty if the object is in memory only. */
  private final Optional<FileChannel> file;

  private final long tableBytes;
  private final long slotBytes;

  /** The slots of generations. This and the free slots are locked by the map. */
  private final Map<Integer, Integer> slots = new LinkedHashMap<>(16, 0.75f, true);

  private final ArrayDeque<Integer> free = new ArrayDeque<>();

  /** The generations that could not be written, in the order of their use. Locked by the slots. */
  private final Map<Integer, MemorySegment> held = new LinkedHashMap<>(16, 0.75f, true);

  private final MemorySegment slot;
  private IntConsumer onRemoved = generation -> {};
  private int slotCount;

  /**
   * Refers to an open file.
   *
   * @param file open for reading and writing, and closed by this; empty to keep the object in
   *     memory only
   */
  CachedObject(DiskCache cache, GenerationHashes hashes, Optional<FileChannel> file)
      throws IOException {
    this.cache = cache;
    this.hashes = hashes;
    this.file = file;
    this.tableBytes = tableBytes(hashes.manifest());
    this.slotBytes = hashes.manifest().shape().bytes();
    this.slot = MemorySegment.ofArray(new byte[Math.toIntExact(slotBytes)]);
    if (file.isPresent()) {
      readNumbers(file.get());
    }
  }

  private static long tableBytes(ObjectManifest object) {
    return object.generations() * NUMBER.byteSize();
  }

  /** Returns the bytes of the file if it has all generations. */
  static long bytes(ObjectManifest object) {
    return tableBytes(object) + object.generations() * object.shape().bytes();
  }

  /** Returns the bytes of an object without generations: its table, and the hashes in its head. */
  static long emptyBytes(ObjectManifest object) {
    return tableBytes(object) + SourceHashes.bytes(object);
  }

  private void readNumbers(FileChannel from) throws IOException {
    slotCount =
        Math.toIntExact(
            Math.clamp((from.size() - tableBytes) / slotBytes, 0, hashes.manifest().generations()));
    MemorySegment table = MemorySegment.ofArray(new byte[slotCount * (int) NUMBER.byteSize()]);
    read(from, table, 0);
    for (int i = 0; i < slotCount; i++) {
      int generation = table.getAtIndex(NUMBER, i) - 1;
      if (generation >= 0
          && generation < hashes.manifest().generations()
          && !slots.containsKey(generation)) {
        slots.put(generation, i);
      } else {
        free.add(i);
      }
    }
  }

  /** Returns the id of the object. */
  Sha256 id() {
    return hashes.manifest().id();
  }

  /** Returns the hashes by which generations are verified. */
  GenerationHashes hashes() {
    return hashes;
  }

  /** Returns true if the object has a file, and so stays in the cache when it is closed. */
  boolean isKept() {
    return file.isPresent();
  }

  /** Returns the generations that the file seems to have. */
  BitSet generations() {
    BitSet generations = new BitSet();
    synchronized (slots) {
      slots.keySet().forEach(generations::set);
    }
    return generations;
  }

  /** Returns the bytes of the file, and of the hashes in its head. */
  long bytes() {
    return emptyBytes(hashes.manifest()) + slotCount * slotBytes;
  }

  /** Sets the listener for generations that are removed to make room. */
  void onRemoved(IntConsumer listener) {
    onRemoved = listener;
  }

  /** Keeps a generation in the file, or in memory if the file cannot be written. */
  @Override
  public void verified(int generation, MemorySegment bytes) {
    MemorySegment.copy(bytes, 0, slot, 0, bytes.byteSize());
    slot.asSlice(bytes.byteSize()).fill((byte) 0);
    if (file.isPresent() && isWritten(file.get(), generation)) {
      synchronized (slots) {
        held.remove(generation);
      }
      writeHeld(file.get());
    } else {
      hold(generation, bytes);
    }
  }

  /** Writes one of the generations in memory, because the disk may have space again. */
  private void writeHeld(FileChannel to) {
    int generation;
    synchronized (slots) {
      if (held.isEmpty()) {
        return;
      }
      Map.Entry<Integer, MemorySegment> first = held.entrySet().iterator().next();
      generation = first.getKey();
      slot.fill((byte) 0);
      slot.copyFrom(first.getValue());
    }
    try {
      write(to, generation, takeSlot(generation));
      synchronized (slots) {
        held.remove(generation);
      }
    } catch (IOException _) {
      // It stays in memory.
    }
  }

  /** Writes a generation; if the disk is full, to the place of another one. */
  private boolean isWritten(FileChannel to, int generation) {
    Optional<Boolean> written =
        cache.written(() -> {
          write(to, generation, takeSlot(generation));
          return true;
        });
    if (written.isPresent()) {
      return true;
    }
    try {
      boolean hasSlot;
      synchronized (slots) {
        hasSlot = !slots.isEmpty();
      }
      if (hasSlot) {
        write(to, generation, takeEldest());
        return true;
      }
    } catch (IOException _) {
      // It was reported above.
    }
    return false;
  }

  private void write(FileChannel to, int generation, int at) throws IOException {
    MemorySegment number = MemorySegment.ofArray(new byte[(int) NUMBER.byteSize()]);
    number.set(NUMBER, 0, generation + 1);
    try {
      write(to, slot, tableBytes + at * slotBytes);
      write(to, number, at * NUMBER.byteSize());
    } catch (IOException e) {
      if (at == slotCount - 1) {
        slotCount--; // it may not be on the disk
      } else {
        synchronized (slots) {
          free.addFirst(at);
        }
      }
      throw e;
    }
    synchronized (slots) {
      slots.put(generation, at);
    }
  }

  /** Returns the slot for a generation, which belongs to none meanwhile. */
  private int takeSlot(int generation) {
    synchronized (slots) {
      Integer spare = slots.remove(generation);
      if (spare == null) {
        spare = free.pollFirst();
      }
      if (spare != null) {
        return spare;
      }
    }
    return cache.makeRoom(slotBytes) || slotCount < MIN_GENERATIONS ? slotCount++ : takeEldest();
  }

  /** Returns the slot of the generation least recently used. */
  private int takeEldest() {
    int eldest;
    int at;
    synchronized (slots) {
      Iterator<Map.Entry<Integer, Integer>> entries = slots.entrySet().iterator();
      Map.Entry<Integer, Integer> entry = entries.next();
      eldest = entry.getKey();
      at = entry.getValue();
      entries.remove();
    }
    onRemoved.accept(eldest);
    return at;
  }

  private void hold(int generation, MemorySegment bytes) {
    Optional<Integer> eldest = Optional.empty();
    synchronized (slots) {
      held.put(generation, MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE)));
      if (held.size() > MIN_GENERATIONS) {
        eldest = Optional.of(held.keySet().iterator().next());
        held.remove(eldest.get());
      }
    }
    eldest.ifPresent(onRemoved::accept);
  }

  @Override
  public int capacity() {
    synchronized (slots) {
      if (!isKept() || !held.isEmpty()) {
        return Math.max(MIN_GENERATIONS, slots.size());
      }
    }
    return Math.clamp(cache.shareBytes() / slotBytes, MIN_GENERATIONS, Integer.MAX_VALUE);
  }

  /**
   * {@inheritDoc}
   *
   * @throws MissingGenerationException if the file does not have it, or has it damaged
   */
  @Override
  public void read(int generation, MemorySegment destination) throws IOException {
    Integer at;
    synchronized (slots) {
      MemorySegment bytes = held.get(generation);
      if (bytes != null) {
        MemorySegment.copy(bytes, 0, destination, 0, bytes.byteSize());
        destination.asSlice(bytes.byteSize()).fill((byte) 0);
        return;
      }
      at = slots.get(generation);
    }
    if (at == null || file.isEmpty()) {
      throw new MissingGenerationException(generation);
    }
    try {
      read(file.get(), destination, tableBytes + at * slotBytes);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException _) {
      destination.fill((byte) 0); // damaged: the file is too short, or has a bad sector
    }
    int k = hashes.manifest().shape().blockSize();
    if (!new HashTree().generation(destination, k).equals(hashes.of(generation))) {
      synchronized (slots) {
        // Another generation may have taken the slot meanwhile.
        if (slots.remove(generation, at)) {
          free.addFirst(at);
        }
      }
      throw new MissingGenerationException(generation);
    }
  }

  private static void read(FileChannel from, MemorySegment destination, long position)
      throws IOException {
    ByteBuffer rest = destination.asByteBuffer();
    while (rest.hasRemaining()) {
      if (from.read(rest, position + rest.position()) < 0) {
        throw new EOFException();
      }
    }
  }

  private static void write(FileChannel to, MemorySegment bytes, long position) throws IOException {
    ByteBuffer rest = bytes.asByteBuffer();
    while (rest.hasRemaining()) {
      int _ = to.write(rest, position + rest.position());
    }
  }

  /** Closes the file, which stays in the cache. Idempotent. */
  @Override
  public void close() throws IOException {
    if (file.isPresent()) {
      file.get().close();
    }
    cache.closed(this);
  }
}
