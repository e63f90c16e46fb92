package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import io.fieldstone.cuda.driver.PinnedBuffer;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.engine.weights.TransformSlices;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The device memory of a transform: tables, one slice and a chunk of its functionals. */
final class TransformMemory implements AutoCloseable {

  /** Minimum magnitude of values that tensor cores do not multiply: they take three bytes. */
  static final long LIMIT = 1L << 23;

  /** Binary logarithm of the maximum functionals of a chunk, which fill a large GPU. */
  private static final int CHUNK_BITS = 22;

  static final byte UNUSED_WEIGHT = (byte) 255;

  /** 64-bit words of a sum of 96 bits: 32 bits each, and room for carries. */
  static final int SUM_WORDS = 3;

  private final TransformShape shape;
  private final MessageOrbits orbits;
  private final TripleSchedule schedule;
  private final int chunkBits;
  private final ScratchLayout layout = new ScratchLayout();
  private final long basis;
  private final long weightIndices;
  private final long unitList;
  private final long triples;
  private final long lowImages;
  private final long tableBytes;
  private final long sums;
  private final long functionals;
  private final long orbitCount;
  private final long representatives;
  private final long images;
  private final long counted;
  private final long transforms;
  private final long values;
  private final long large;
  private final long leftOut;
  private final long leftOutCount;
  private final DeviceBuffer buffer;

  private TransformMemory(
      Gpu gpu, TransformShape shape, MessageOrbits orbits, TripleSchedule schedule, int chunkBits) {
    this.shape = shape;
    this.orbits = orbits;
    this.schedule = schedule;
    this.chunkBits = chunkBits;
    this.basis = layout.device((long) shape.rows() * shape.wordInts() * Integer.BYTES);
    this.weightIndices = layout.device(shape.length() + 1L);
    this.unitList = layout.device(schedule.unitBytes());
    this.triples = layout.device(schedule.tripleBytes());
    this.lowImages = layout.device(orbits.mapBytes());
    this.tableBytes = layout.deviceBytes();
    this.sums = layout.device(sumBytes());
    this.functionals = layout.device((long) orbits.images() * Short.BYTES);
    this.orbitCount = layout.device(Long.BYTES);
    long listed = orbits.areUsed() ? orbits.count() : 0;
    this.representatives = layout.device(listed * Integer.BYTES);
    this.images = layout.device(listed * orbits.images() * Integer.BYTES);
    this.counted = layout.device(countedBytes());
    this.transforms = layout.device(shape.order() * shape.points() * Integer.BYTES);
    this.values = layout.device(shape.order() * chunkPoints() * Integer.BYTES);
    this.large = layout.device(shape.order() * chunkPoints() * Long.BYTES);
    this.leftOut = layout.device(chunkPoints() * Integer.BYTES);
    this.leftOutCount = layout.device(Integer.BYTES);
    this.buffer = gpu.reserve(layout.deviceBytes());
  }

  /**
   * Allocates memory for chunks that are as large as possible, and uploads the tables.
   *
   * @throws OutOfDeviceMemoryException if not even the smallest chunks fit
   */
  static TransformMemory allocate(
      Gpu gpu, TransformKernels kernels, TransformSlices transform, MessageOrbits orbits) {
    TransformShape shape = TransformShape.of(transform);
    TripleSchedule schedule = new TripleSchedule(shape.order());
    int bits = Math.min(CHUNK_BITS, shape.paddedBits());
    while (true) {
      try {
        TransformMemory memory = new TransformMemory(gpu, shape, orbits, schedule, bits);
        memory.fill(gpu, kernels, transform);
        return memory;
      } catch (OutOfDeviceMemoryException e) {
        if (bits == TransformShape.MIN_BITS) {
          throw e;
        }
        bits--;
      }
    }
  }

  private void fill(Gpu gpu, TransformKernels kernels, TransformSlices transform) {
    try (PinnedBuffer tables = gpu.context().allocatePinned(tableBytes)) {
      write(tables.segment(), transform);
      gpu.streams()
          .useOne(slot -> {
            slot.stream().upload(tables.segment(), buffer.address());
            if (orbits.areUsed()) {
              long maps = address(lowImages);
              int symmetries = symmetries();
              kernels.orbits(slot, maps, representatives(), address(orbitCount), symmetries);
              kernels.images(
                  slot, maps, representatives(), images(), representativeCount(), symmetries);
            }
            slot.stream().synchronize();
          });
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void write(MemorySegment tables, TransformSlices transform) {
    tables.fill((byte) 0);
    MemorySegment words = transform.basis().data();
    long basisBytes = transform.basis().count() * transform.basis().bytes();
    MemorySegment.copy(words, 0, tables, basis, basisBytes);
    byte[] indexOfWeight = new byte[shape.length() + 1];
    Arrays.fill(indexOfWeight, UNUSED_WEIGHT);
    for (int i = 0; i < shape.order(); i++) {
      indexOfWeight[transform.weights().get(i)] = (byte) i;
    }
    tables
        .asSlice(weightIndices, indexOfWeight.length)
        .copyFrom(MemorySegment.ofArray(indexOfWeight));
    schedule.writeUnits(tables.asSlice(unitList, schedule.unitBytes()));
    schedule.writeTriples(tables.asSlice(triples, schedule.tripleBytes()));
    orbits.writeMaps(tables.asSlice(lowImages, orbits.mapBytes()));
  }

  private long address(long offset) {
    return buffer.address() + offset;
  }

  long basis() {
    return address(basis);
  }

  /** Returns the address of the index of each weight. */
  long weightIndices() {
    return address(weightIndices);
  }

  long units() {
    return address(unitList);
  }

  int unitCount() {
    return schedule.count();
  }

  long triples() {
    return address(triples);
  }

  int tripleCount() {
    return schedule.triples();
  }

  /**
   * Returns the address of three words per triple, with weights 1, 2^32 and 2^64; two are signed.
   */
  long sums() {
    return address(sums);
  }

  long sumBytes() {
    return (long) schedule.triples() * SUM_WORDS * Long.BYTES;
  }

  /** Returns the address of the images of the slice's functional under each symmetry. */
  long functionals() {
    return address(functionals);
  }

  int symmetries() {
    return orbits.images();
  }

  long representativeCount() {
    return orbits.count();
  }

  /** Returns the address of the representatives; 0 if each low part is its own orbit. */
  long representatives() {
    return orbits.areUsed() ? address(representatives) : 0;
  }

  long images() {
    return orbits.areUsed() ? address(images) : 0;
  }

  /** Returns the address of the word counts: for each low part, those of the pairs of weights. */
  long counted() {
    return address(counted);
  }

  long countedBytes() {
    return shape.points() * shape.pairs() * Integer.BYTES;
  }

  long transforms() {
    return address(transforms);
  }

  /** Returns the number of functionals of a chunk. */
  long chunkPoints() {
    return 1L << chunkBits;
  }

  long values() {
    return address(values);
  }

  long large() {
    return address(large);
  }

  long leftOut() {
    return address(leftOut);
  }

  long leftOutCount() {
    return address(leftOutCount);
  }

  /** Frees the memory. Idempotent, and allowed after the engine is closed. */
  @Override
  public void close() {
    buffer.close();
  }
}
