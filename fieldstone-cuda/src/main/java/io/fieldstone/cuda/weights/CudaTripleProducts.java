package io.fieldstone.cuda.weights;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.TripleSums;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.lang.foreign.MemorySegment;

/** Adds up triple products of the slices of a transform on a GPU. Waits for each slice. */
final class CudaTripleProducts implements TripleProducts {

  private final Gpu gpu;
  private final TransformSlices transform;
  private final TransformShape shape;
  private final TransformKernels kernels;
  private final MessageOrbits orbits;
  private final TransformMemory memory;
  private final ScratchLayout scratch = new ScratchLayout();
  private final long functionalsOffset;
  private final long sumsOffset;

  private CudaTripleProducts(
      Gpu gpu,
      TransformSlices transform,
      TransformKernels kernels,
      MessageOrbits orbits,
      TransformMemory memory) {
    this.gpu = gpu;
    this.transform = transform;
    this.shape = TransformShape.of(transform);
    this.kernels = kernels;
    this.orbits = orbits;
    this.memory = memory;
    this.functionalsOffset = scratch.pinned((long) orbits.images() * Short.BYTES);
    this.sumsOffset = scratch.pinned(memory.sumBytes());
  }

  /**
   * Loads the tables of a transform.
   *
   * @throws OutOfMemoryError if a slice does not fit in device memory
   */
  static CudaTripleProducts open(Gpu gpu, TransformSlices transform) {
    return gpu.call(
        () -> "transform slices " + describe(transform),
        () -> {
          TransformKernels kernels = TransformKernels.find(gpu, TransformShape.of(transform));
          MessageOrbits orbits = MessageOrbits.find(gpu, kernels, transform);
          TransformMemory memory = TransformMemory.allocate(gpu, kernels, transform, orbits);
          return new CudaTripleProducts(gpu, transform, kernels, orbits, memory);
        });
  }

  private static String describe(TransformSlices transform) {
    return "of 2^%d low parts for %d weights"
        .formatted(transform.lowBits(), transform.weights().size());
  }

  @Override
  public void add(int first, int count, TripleSums sums) {
    WeightPreconditions.requireSlices(transform, first, count, sums);
    TripleSums total = new TripleSums(sums.order());
    gpu.run(
        () -> "sum %d slices %s".formatted(count, describe(transform)),
        () -> {
          gpu.streams()
              .useOne(
                  scratch,
                  slot -> {
                    for (int slice = first; slice < first + count; slice++) {
                      addSlice(slot, transform.slices().get(slice), total);
                    }
                  });
        });
    sums.addMultiple(total, 1);
  }

  private void addSlice(StreamSlot slot, TransformSlices.Slice slice, TripleSums total) {
    short[] images = orbits.functionals(slice.functional());
    MemorySegment functionals = slot.pinned(functionalsOffset, (long) images.length * Short.BYTES);
    MemorySegment.copy(images, 0, functionals, JAVA_SHORT, 0, images.length);
    slot.stream().upload(functionals, memory.functionals());
    slot.stream().fill(memory.sums(), 0, memory.sumBytes());
    kernels.count(slot, memory);
    kernels.transform(slot, memory);
    for (long at = 0; at < shape.points(); at += memory.chunkPoints()) {
      kernels.addChunk(slot, memory, at);
    }
    MemorySegment words = slot.pinned(sumsOffset, memory.sumBytes());
    slot.stream().download(memory.sums(), words);
    slot.await();
    total.addMultiple(sums(words), slice.multiplicity());
  }

  private TripleSums sums(MemorySegment words) {
    TripleSums sums = new TripleSums(shape.order());
    for (int i = 0; i < memory.tripleCount(); i++) {
      long middle = words.getAtIndex(JAVA_LONG, TransformMemory.SUM_WORDS * i + 1L);
      sums.add(i, 0, words.getAtIndex(JAVA_LONG, (long) TransformMemory.SUM_WORDS * i));
      sums.add(i, middle >> Integer.SIZE, middle << Integer.SIZE);
      sums.add(i, words.getAtIndex(JAVA_LONG, TransformMemory.SUM_WORDS * i + 2L), 0);
    }
    return sums;
  }

  @Override
  public void close() {
    memory.close();
  }
}
