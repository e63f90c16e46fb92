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
import java.util.function.IntConsumer;

/**
 * The generations of one object in a file of the {@link DiskCache}, which has a slot of n·k bytes
 * for each generation. A table comes before the slots, of 4 bytes for each: the number of the
 * generation in the slot plus 1, or 0 for none. Every generation is verified when it is read, so
 * nothing depends on how the last process ended.
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
  private final FileChannel file;
  private final long tableBytes;
  private final long slotBytes;

  /** The slots of generations. This and the free slots are locked by the map. */
  private final Map<Integer, Integer> slots = new LinkedHashMap<>(16, 0.75f, true);

  private final ArrayDeque<Integer> free = new ArrayDeque<>();
  private final MemorySegment slot;
  private IntConsumer onRemoved = generation -> {};
  private int slotCount;

  /**
   * Refers to an open file.
   *
   * @param file open for reading and writing; closed by this
   */
  CachedObject(DiskCache cache, GenerationHashes hashes, FileChannel file) throws IOException {
    this.cache = cache;
    this.hashes = hashes;
    this.file = file;
    this.tableBytes = tableBytes(hashes.manifest());
    this.slotBytes = hashes.manifest().shape().bytes();
    this.slot = MemorySegment.ofArray(new byte[Math.toIntExact(slotBytes)]);
    readNumbers();
  }

  private static long tableBytes(ObjectManifest object) {
    return object.generations() * NUMBER.byteSize();
  }

  /** Returns the bytes of the file if it has all generations. */
  static long bytes(ObjectManifest object) {
    return tableBytes(object) + object.generations() * object.shape().bytes();
  }

  private void readNumbers() throws IOException {
    slotCount =
        Math.toIntExact(
            Math.clamp((file.size() - tableBytes) / slotBytes, 0, hashes.manifest().generations()));
    MemorySegment table = MemorySegment.ofArray(new byte[slotCount * (int) NUMBER.byteSize()]);
    read(table, 0);
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
    long hashBytes = (long) hashes.manifest().generations() * Sha256.BYTES;
    return tableBytes + slotCount * slotBytes + hashBytes;
  }

  /** Sets what hears of generations that are removed to make room. */
  void onRemoved(IntConsumer listener) {
    onRemoved = listener;
  }

  @Override
  public void verified(int generation, MemorySegment bytes) throws IOException {
    int at = takeSlot(generation);
    MemorySegment.copy(bytes, 0, slot, 0, bytes.byteSize());
    slot.asSlice(bytes.byteSize()).fill((byte) 0);
    MemorySegment number = MemorySegment.ofArray(new byte[(int) NUMBER.byteSize()]);
    number.set(NUMBER, 0, generation + 1);
    try {
      write(slot, tableBytes + at * slotBytes);
      write(number, at * NUMBER.byteSize());
    } catch (IOException e) {
      synchronized (slots) {
        free.addFirst(at);
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
    if (cache.makeRoom(slotBytes) || slotCount < MIN_GENERATIONS) {
      return slotCount++;
    }
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

  @Override
  public int capacity() {
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
      at = slots.get(generation);
    }
    if (at == null) {
      throw new MissingGenerationException(generation);
    }
    try {
      read(destination, tableBytes + at * slotBytes);
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

  private void read(MemorySegment destination, long position) throws IOException {
    ByteBuffer rest = destination.asByteBuffer();
    while (rest.hasRemaining()) {
      if (file.read(rest, position + rest.position()) < 0) {
        throw new EOFException();
      }
    }
  }

  private void write(MemorySegment bytes, long position) throws IOException {
    ByteBuffer rest = bytes.asByteBuffer();
    while (rest.hasRemaining()) {
      int _ = file.write(rest, position + rest.position());
    }
  }

  /** Closes the file, which stays in the cache. Idempotent. */
  @Override
  public void close() throws IOException {
    file.close();
    cache.closed(this);
  }
}
