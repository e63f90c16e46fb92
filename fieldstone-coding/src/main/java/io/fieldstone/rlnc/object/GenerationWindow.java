package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The open generations of a receiver, in order, and their memory, which is used again. */
final class GenerationWindow implements AutoCloseable {

  private static final int MAX_GENERATIONS = 1 << 16;

  private final Engine engine;
  private final ObjectManifest manifest;
  private final LongFunction<HostMemory> allocator;
  private final int maxOpen;
  private final SharedAllocations allocations;
  private final Workspaces workspaces = new Workspaces();

  /** The bytes of the blocks of the generations that may be open; others are evidence. */
  private final long maxOpenBytes;

  private final List<OpenGeneration> open = new ArrayList<>();
  private final List<OpenGeneration> view = Collections.unmodifiableList(open);
  private final Map<Integer, OpenGeneration> byNumber = new HashMap<>();
  private final ArrayDeque<Rows> spareRows = new ArrayDeque<>();
  private final ArrayDeque<HostMemory> spareOutputs = new ArrayDeque<>();
  private final Map<MemorySegment, HostMemory> outputs = new HashMap<>();
  private @Nullable OpenGeneration last;

  /**
   * Creates an empty window.
   *
   * @param allocator allocates host memory of some bytes
   * @param maxBytes bounds the number of open generations, of which there is at least one
   */
  GenerationWindow(
      Engine engine, ObjectManifest manifest, LongFunction<HostMemory> allocator, long maxBytes) {
    this.allocator = allocator;
    this.engine = engine;
    this.manifest = manifest;
    GenerationShape shape = manifest.shape();
    long openBytes = 2 * shape.bytes() + (long) shape.blocks() * shape.blocks();
    this.maxOpen = Math.clamp(maxBytes / openBytes, 1, MAX_GENERATIONS);
    this.allocations = new SharedAllocations(allocator, SharedAllocations.MAX_SHARED_BYTES);
    this.maxOpenBytes = Math.min(maxOpen, manifest.generations()) * Rows.bytes(shape);
  }

  /** Returns the maximum number of open generations. */
  int maxOpen() {
    return maxOpen;
  }

  /** Returns a view of the open generations, by number. */
  List<OpenGeneration> open() {
    return view;
  }

  /** Returns an open generation, or null. */
  @Nullable OpenGeneration get(int generation) {
    OpenGeneration found = last;
    if (found == null || found.number() != generation) {
      found = byNumber.get(generation);
      last = found;
    }
    return found;
  }

  /**
   * Opens a generation that is not open.
   *
   * @param slots the slots of senders
   */
  OpenGeneration add(int number, int slots) {
    GenerationShape shape = manifest.shapeOf(number);
    OpenGeneration added = new OpenGeneration(number, shape, rows(shape));
    added.division().reserve(slots);
    int at = open.size();
    while (at > 0 && open.get(at - 1).number() > number) {
      at--;
    }
    open.add(at, added);
    byNumber.put(number, added);
    last = null;
    return added;
  }

  /** Removes a generation, whose blocks stay until they are released. */
  void remove(OpenGeneration generation) {
    open.remove(generation);
    byNumber.remove(generation.number());
    last = null;
  }

  /** Returns memory for the blocks of a generation. */
  Rows rows(GenerationShape shape) {
    Rows spare = spareRows.pollLast();
    if (spare != null && spare.shape().equals(shape)) {
      spare.clear();
      return spare;
    }
    if (spare != null) {
      spare.close(); // the last generation may be shorter, and takes its place
    }
    HostMemory memory = allocations.allocate(Rows.bytes(shape), maxOpenBytes - allocations.bytes());
    return new Rows(engine, shape, memory, workspaces);
  }

  /** Takes blocks back that are not needed any more. */
  void release(Rows rows) {
    if (rows.shape().equals(manifest.shape())) {
      spareRows.addLast(rows);
    } else {
      rows.close();
    }
  }

  /** Returns memory for a decoded generation, to be given back with {@link #releaseOutput}. */
  MemorySegment output(long bytes) {
    HostMemory memory = spareOutputs.pollLast();
    if (memory == null || memory.segment().byteSize() < bytes) {
      if (memory != null) {
        memory.close();
      }
      memory = allocator.apply(manifest.generations() == 1 ? bytes : manifest.shape().bytes());
    }
    MemorySegment output = memory.segment().asSlice(0, bytes);
    outputs.put(output, memory);
    return output;
  }

  /** Takes the memory of a decoded generation back. */
  void releaseOutput(MemorySegment output) {
    HostMemory memory = outputs.remove(output);
    if (memory != null) {
      spareOutputs.addLast(memory);
    }
  }

  /** Returns the bytes of all memory but that of decoded generations in use. */
  long heldBytes() {
    long bytes = allocations.bytes();
    for (HostMemory output : spareOutputs) {
      bytes += output.segment().byteSize();
    }
    return bytes;
  }

  @Override
  public void close() {
    for (OpenGeneration generation : open) {
      generation.rows().close();
      Rows evidence = generation.evidence();
      if (evidence != null) {
        evidence.close();
      }
    }
    open.clear();
    byNumber.clear();
    last = null;
    spareRows.forEach(Rows::close);
    spareRows.clear();
    workspaces.close();
    spareOutputs.forEach(HostMemory::close);
    spareOutputs.clear();
    outputs.values().forEach(HostMemory::close);
    outputs.clear();
  }
}
