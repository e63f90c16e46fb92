package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import io.fieldstone.cuda.driver.PinnedBuffer;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.engine.weights.TransformSlices;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** What a transform has on the GPU: tables, one slice, and a chunk of its functionals. */
final class TransformMemory implements AutoCloseable {

  /** Larger values are the tensor cores' no more: their products have three bytes for each. */
  static final long LIMIT = 1L << 23;

  /** Functionals of a chunk, in bits: launches of large ones fill the GPU. */
  private static final int CHUNK_BITS = 22;

  private static final byte NO_PLACE = (byte) 255;

  /** Words of 32 bits, each in 64, of a sum of 96. */
  private static final int SUM_WORDS = 3;

  private final TransformShape shape;
  private final MessageOrbits orbits;
  private final TripleSchedule units;
  private final int chunkBits;
  private final ScratchLayout layout = new ScratchLayout();
  private final long basis;
  private final long places;
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
      Gpu gpu, TransformShape shape, MessageOrbits orbits, TripleSchedule units, int chunkBits) {
    this.shape = shape;
    this.orbits = orbits;
    this.units = units;
    this.chunkBits = chunkBits;
    this.basis = layout.device((long) shape.rows() * shape.parts() * Integer.BYTES);
    this.places = layout.device(shape.length() + 1L);
    this.unitList = layout.device(units.unitBytes());
    this.triples = layout.device(units.tripleBytes());
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
    this.values = layout.device(shape.order() * chunk() * Integer.BYTES);
    this.large = layout.device(shape.order() * chunk() * Long.BYTES);
    this.leftOut = layout.device(chunk() * Integer.BYTES);
    this.leftOutCount = layout.device(Integer.BYTES);
    this.buffer = gpu.reserve(layout.deviceBytes());
  }

  /**
   * Takes memory, for large chunks if there is so much, and puts the tables of a transform there.
   *
   * @throws OutOfDeviceMemoryException if there is none even for small chunks
   */
  static TransformMemory take(
      Gpu gpu, TransformKernels kernels, TransformSlices transform, MessageOrbits orbits) {
    TransformShape shape = TransformShape.of(transform);
    TripleSchedule units = new TripleSchedule(shape.order());
    int bits = Math.min(CHUNK_BITS, shape.paddedBits());
    while (true) {
      try {
        TransformMemory memory = new TransformMemory(gpu, shape, orbits, units, bits);
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
    byte[] placeOf = new byte[shape.length() + 1];
    Arrays.fill(placeOf, NO_PLACE);
    for (int i = 0; i < shape.order(); i++) {
      placeOf[transform.weights().get(i)] = (byte) i;
    }
    tables.asSlice(places, placeOf.length).copyFrom(MemorySegment.ofArray(placeOf));
    units.writeUnits(tables.asSlice(unitList, units.unitBytes()));
    units.writeTriples(tables.asSlice(triples, units.tripleBytes()));
    orbits.writeMaps(tables.asSlice(lowImages, orbits.mapBytes()));
  }

  private long address(long offset) {
    return buffer.address() + offset;
  }

  long basis() {
    return address(basis);
  }

  long places() {
    return address(places);
  }

  long units() {
    return address(unitList);
  }

  int unitCount() {
    return units.count();
  }

  long triples() {
    return address(triples);
  }

  int tripleCount() {
    return units.triples();
  }

  /** Of each triple three 64-bit words, of worth 1, 2^32 and 2^64, the last two signed. */
  long sums() {
    return address(sums);
  }

  long sumBytes() {
    return (long) units.triples() * SUM_WORDS * Long.BYTES;
  }

  /** The slice's functional, as each symmetry maps it. */
  long functionals() {
    return address(functionals);
  }

  int symmetries() {
    return orbits.images();
  }

  long representativeCount() {
    return orbits.count();
  }

  /** 0 if each low part is an orbit of its own. */
  long representatives() {
    return orbits.areUsed() ? address(representatives) : 0;
  }

  long images() {
    return orbits.areUsed() ? address(images) : 0;
  }

  /** Numbers of words, for each low part the pairs of weights. */
  long counted() {
    return address(counted);
  }

  long countedBytes() {
    return shape.points() * shape.pairs() * Integer.BYTES;
  }

  long transforms() {
    return address(transforms);
  }

  /** Functionals of a chunk. */
  long chunk() {
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

  /** Frees it. Idempotent, also after the engine's. */
  @Override
  public void close() {
    buffer.close();
  }
}
