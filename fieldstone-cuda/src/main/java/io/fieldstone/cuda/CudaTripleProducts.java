package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.fieldstone.engine.WeightPreconditions;
import io.fieldstone.engine.TransformSlices;
import io.fieldstone.engine.TripleProducts;
import io.fieldstone.engine.TripleSums;
import java.lang.foreign.MemorySegment;

/** Slices of a transform on a GPU, one after another; each is waited for. */
final class CudaTripleProducts implements TripleProducts {

  private static final int SUM_WORDS = 3;

  private final Gpu gpu;
  private final TransformSlices transform;
  private final TransformShape shape;
  private final TransformKernels kernels;
  private final LowOrbits orbits;
  private final TransformMemory memory;
  private final Workspace workspace = new Workspace();
  private final long functionalsOffset;
  private final long sumsOffset;

  private CudaTripleProducts(
      Gpu gpu,
      TransformSlices transform,
      TransformKernels kernels,
      LowOrbits orbits,
      TransformMemory memory) {
    this.gpu = gpu;
    this.transform = transform;
    this.shape = TransformShape.of(transform);
    this.kernels = kernels;
    this.orbits = orbits;
    this.memory = memory;
    this.functionalsOffset = workspace.pinned((long) orbits.images() * Short.BYTES);
    this.sumsOffset = workspace.pinned(memory.sumBytes());
  }

  /**
   * Begins a transform.
   *
   * @throws OutOfMemoryError if the GPU has not the memory for a slice
   */
  static CudaTripleProducts begin(Gpu gpu, TransformSlices transform) {
    return gpu.call(
        () -> "transform slices " + what(transform),
        () -> {
          TransformKernels kernels = TransformKernels.find(gpu, TransformShape.of(transform));
          LowOrbits orbits = LowOrbits.find(gpu, kernels, transform);
          TransformMemory memory = TransformMemory.take(gpu, kernels, transform, orbits);
          return new CudaTripleProducts(gpu, transform, kernels, orbits, memory);
        });
  }

  private static String what(TransformSlices transform) {
    return "of 2^%d low parts for %d weights"
        .formatted(transform.lowBits(), transform.weights().size());
  }

  @Override
  public void add(int first, int count, TripleSums sums) {
    WeightPreconditions.requireSlices(transform, first, count, sums);
    TripleSums all = new TripleSums(sums.order());
    gpu.call(
        () -> "sum %d slices %s".formatted(count, what(transform)),
        () -> {
          gpu.lanes()
              .useOne(
                  workspace,
                  lane -> {
                    for (int slice = first; slice < first + count; slice++) {
                      addSlice(lane, transform.slices().get(slice), all);
                    }
                  });
          return this;
        });
    sums.addMultiple(all, 1);
  }

  private void addSlice(Lane lane, TransformSlices.Slice slice, TripleSums all) {
    short[] images = orbits.functionals(slice.functional());
    MemorySegment functionals = lane.pinned(functionalsOffset, (long) images.length * Short.BYTES);
    MemorySegment.copy(images, 0, functionals, JAVA_SHORT, 0, images.length);
    lane.stream().upload(functionals, memory.functionals());
    lane.stream().fill(memory.sums(), 0, memory.sumBytes());
    kernels.count(lane, memory);
    kernels.transform(lane, memory);
    for (long at = 0; at < shape.points(); at += memory.chunk()) {
      kernels.addChunk(lane, memory, at);
    }
    MemorySegment words = lane.pinned(sumsOffset, memory.sumBytes());
    lane.stream().download(memory.sums(), words);
    lane.await();
    all.addMultiple(sums(words), slice.multiplicity());
  }

  private TripleSums sums(MemorySegment words) {
    TripleSums sums = new TripleSums(shape.order());
    for (int i = 0; i < memory.tripleCount(); i++) {
      long middle = words.getAtIndex(JAVA_LONG, SUM_WORDS * i + 1L);
      sums.add(i, 0, words.getAtIndex(JAVA_LONG, (long) SUM_WORDS * i));
      sums.add(i, middle >> Integer.SIZE, middle << Integer.SIZE);
      sums.add(i, words.getAtIndex(JAVA_LONG, SUM_WORDS * i + 2L), 0);
    }
    return sums;
  }

  @Override
  public void close() {
    memory.close();
  }
}
