package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import io.fieldstone.cpu.sorting.ItemSort.Sink;
import io.fieldstone.cpu.sorting.ItemSort.Source;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordInput;
import io.fieldstone.engine.sorting.RecordOutput;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Sorts records as items. Records that are a key, alone or with a payload of the same size, are
 * items themselves; those with NaN, which all have one rank, are separated before. For other
 * records, an item is a bit-ordered key with an index; the records are gathered by index
 * afterwards.
 */
final class RadixKernel implements SortKernel {

  /** Makes the sort of items. */
  interface Factory {
    ItemSort of(ItemOps items, SortResources resources);
  }

  /** Records that a thread gathers in one task. */
  private static final int FETCHED = 1 << 14;

  /** Maximum bytes of a key with an index. */
  private static final int INDEXED_BYTES = 2 * Long.BYTES;

  private static final long MAX_SHORT_INDICES = 1L << Integer.SIZE;

  /** The name of the method for records that are in order, or in reverse order. */
  private static final String PRESORTED = "presorted";

  /** The name of the method for keys of which few are different. */
  private static final String FEW_KEYS = "few-keys";

  /** The name of the method for short arrays. */
  private static final String JDK = "java.util.Arrays";

  private final RecordFormat format;
  private final String name;
  private final Factory sorts;
  private final ItemLoops loops;
  private final boolean checksKeys;
  private final TaskPool workers;
  private final SortMemory memory;
  private final Optional<ItemOps> directItems;

  /**
   * Makes a kernel.
   *
   * @param name the name of the method of {@code sorts}
   * @param loops chooses the loops over items
   * @param checksKeys whether to check first for short arrays, records in order, and few keys
   */
  RadixKernel(
      RecordFormat format,
      String name,
      Factory sorts,
      ItemLoops loops,
      boolean checksKeys,
      TaskPool workers,
      SortMemory memory) {
    this.format = format;
    this.name = name;
    this.sorts = sorts;
    this.loops = loops;
    this.checksKeys = checksKeys;
    this.workers = workers;
    this.memory = memory;
    this.directItems = DirectItems.items(format);
  }

  @Override
  public long minWorkingBytes(long records) {
    return copyBytes(records) + SortResources.threadBytes(records * itemBytes());
  }

  /**
   * Counts two buffers of items, and an index and a copy of each record that is sorted by index.
   */
  private long copyBytes(long records) {
    long items = 2 * SortMemory.pieceBytes(records * itemBytes());
    return byIndices() ? items + records * (Long.BYTES + format.bytes()) : items;
  }

  private boolean byIndices() {
    return directItems.isEmpty();
  }

  private int itemBytes() {
    return byIndices() ? INDEXED_BYTES : format.bytes();
  }

  @Override
  public String sort(MemorySegment records, MemorySegment sorted, long limit) {
    if (checksKeys && records.equals(sorted)) {
      Optional<String> inPlace = sortShortArray(records);
      if (inPlace.isPresent()) {
        return inPlace.get();
      }
    }
    long count = count(records);
    SortResources resources =
        new SortResources(workers, memory, limit, copyBytes(count), count * itemBytes());
    if (directItems.isEmpty()) {
      sortByIndices(records, sorted, resources);
      return name;
    }
    ItemOps items = directItems.get();
    return sortDirect(items, records, sorted, resources)
        .orElseGet(() -> sortBesideNans(items, records, sorted, resources));
  }

  /** Sorts records of which some keys are NaN; returns the method. */
  private String sortBesideNans(
      ItemOps items, MemorySegment records, MemorySegment sorted, SortResources resources) {
    if (!records.equals(sorted)) {
      MemorySegment.copy(records, 0, sorted, 0, records.byteSize());
    }
    NanRecords nans = new NanRecords(format, sorted);
    MemorySegment numbers;
    try (Scratch spare = resources.take(nans.bytes())) {
      numbers = nans.separate(spare.segment());
    }
    return numbers.byteSize() == 0
        ? name
        : sortDirect(items, numbers, numbers, resources).orElseThrow();
  }

  /** Sorts keys in a short heap array by the JDK, unless they are in order; returns the method. */
  private Optional<String> sortShortArray(MemorySegment records) {
    if (!JdkArraySort.isShort(format, records)) {
      return Optional.empty();
    }
    Optional<ArrayKeys> keys = ArrayKeys.of(format, records);
    if (keys.isPresent() && keys.get().sortIfOrdered((int) count(records))) {
      return Optional.of(PRESORTED);
    }
    return JdkArraySort.sort(format, records) ? Optional.of(JDK) : Optional.empty();
  }

  /** Sorts records that are items; returns the method, or empty if a key is NaN. */
  private Optional<String> sortDirect(
      ItemOps inJava, MemorySegment records, MemorySegment sorted, SortResources resources) {
    ItemOps items = loops.choose(inJava, count(records));
    DirectItems source = new DirectItems(format, items, records);
    if (checksKeys && new Presorted(items, resources).sort(source, records, sorted)) {
      return Optional.of(PRESORTED);
    }
    long count = count(records);
    Sink sink = (from, number, first) -> source.restore(from, number, sorted, first);
    if (checksKeys && FewKeys.sort(items, resources, source, count, sink)) {
      return Optional.of(FEW_KEYS);
    }
    return sorts.of(items, resources).sort(count, source, sink)
        ? Optional.of(name)
        : Optional.empty();
  }

  @Override
  public long minStreamingBytes(long records) {
    return byIndices() ? Long.MAX_VALUE : minWorkingBytes(records);
  }

  @Override
  public Optional<String> sort(long count, RecordInput input, RecordOutput output, long limit) {
    if (directItems.isEmpty()) {
      return Optional.empty();
    }
    ItemOps items = loops.choose(directItems.get(), count);
    SortResources resources =
        SortResources.releasing(workers, memory, limit, copyBytes(count), items.bytes(count));
    InputItems source = new InputItems(format, items, input);
    Sink sink = (from, number, first) -> source.restore(from, number, output, first);
    if (checksKeys && new Presorted(items, resources).sort(source, count, sink)) {
      return Optional.of(PRESORTED);
    }
    ItemSort itemSort = sorts.of(items, resources);
    if (!itemSort.sort(count, source, sink)) {
      new NanStream(format, items, count, input, output, resources).sort(itemSort);
    }
    return Optional.of(name);
  }

  private void sortByIndices(MemorySegment records, MemorySegment sorted, SortResources resources) {
    long count = count(records);
    int indexBytes = count <= MAX_SHORT_INDICES ? Integer.BYTES : Long.BYTES;
    boolean inPlace = records.asOverlappingSlice(sorted).isPresent();
    try (Scratch order = resources.take(count * indexBytes);
        Scratch copy = resources.take(inPlace ? records.byteSize() : 0)) {
      MemorySegment indices = order.segment();
      argsort(records, indices, indexBytes, resources);
      MemorySegment fetched = inPlace ? copy.segment() : sorted;
      int tasks = Math.toIntExact(Math.ceilDiv(count, FETCHED));
      resources.forEach(tasks, task -> fetch(records, indices, indexBytes, fetched, task));
      if (inPlace) {
        long each = (long) FETCHED * format.bytes();
        resources.forEach(
            tasks,
            task -> {
              long at = task * each;
              long bytes = Math.min(each, sorted.byteSize() - at);
              MemorySegment.copy(fetched, at, sorted, at, bytes);
            });
      }
    }
  }

  private void fetch(
      MemorySegment records, MemorySegment order, int indexBytes, MemorySegment to, int task) {
    int bytes = format.bytes();
    long first = (long) task * FETCHED;
    long end = Math.min(first + FETCHED, count(records));
    for (long i = first; i < end; i++) {
      long index =
          indexBytes == Integer.BYTES
              ? Integer.toUnsignedLong(order.get(JAVA_INT_UNALIGNED, i * Integer.BYTES))
              : order.get(JAVA_LONG_UNALIGNED, i * Long.BYTES);
      MemorySegment.copy(records, index * bytes, to, i * bytes, bytes);
    }
  }

  @Override
  public void argsort(MemorySegment records, MemorySegment order, int indexBytes, long limit) {
    long itemBytes = count(records) * INDEXED_BYTES;
    long copies = 2 * SortMemory.pieceBytes(itemBytes);
    argsort(
        records, order, indexBytes, new SortResources(workers, memory, limit, copies, itemBytes));
  }

  private void argsort(
      MemorySegment records, MemorySegment order, int indexBytes, SortResources resources) {
    long count = count(records);
    boolean isShort = format.key().bytes() == Integer.BYTES && count <= MAX_SHORT_INDICES;
    ItemOps items = loops.choose(isShort ? new LongOps(Integer.SIZE) : new WideOps(), count);
    int blockItems = items.blockItems();
    Source source =
        isShort
            ? new ShortIndices(format, records, blockItems)
            : new LongIndices(format, records, blockItems);
    long indexAt = isShort ? Integer.BYTES : Long.BYTES;
    Sink sink =
        (from, number, first) -> {
          for (int i = 0; i < number; i++) {
            long at = from + items.bytes(i) + indexAt;
            if (indexBytes == Integer.BYTES) {
              int index = MEMORY.get(JAVA_INT_UNALIGNED, at);
              order.set(JAVA_INT_UNALIGNED, (first + i) * Integer.BYTES, index);
            } else {
              long index =
                  isShort
                      ? Integer.toUnsignedLong(MEMORY.get(JAVA_INT_UNALIGNED, at))
                      : MEMORY.get(JAVA_LONG_UNALIGNED, at);
              order.set(JAVA_LONG_UNALIGNED, (first + i) * Long.BYTES, index);
            }
          }
        };
    sorts.of(items, resources).sort(count, source, sink);
  }

  private long count(MemorySegment records) {
    return records.byteSize() / format.bytes();
  }

  /** 32-bit bit-ordered keys, each with a 32-bit index above it. */
  private record ShortIndices(RecordFormat format, MemorySegment records, int blockItems)
      implements Source {
    @Override
    public void copy(long first, int count, long to) {
      for (int i = 0; i < count; i++) {
        long index = first + i;
        long rank = format.bitOrdered(records, index * format.bytes());
        MEMORY.set(JAVA_LONG_UNALIGNED, to + (long) i * Long.BYTES, rank | index << Integer.SIZE);
      }
    }
  }

  /** Bit-ordered keys, each followed by a 64-bit index. */
  private record LongIndices(RecordFormat format, MemorySegment records, int blockItems)
      implements Source {
    @Override
    public void copy(long first, int count, long to) {
      for (int i = 0; i < count; i++) {
        long at = to + 2L * i * Long.BYTES;
        MEMORY.set(
            JAVA_LONG_UNALIGNED, at, format.bitOrdered(records, (first + i) * format.bytes()));
        MEMORY.set(JAVA_LONG_UNALIGNED, at + Long.BYTES, first + i);
      }
    }
  }
}
