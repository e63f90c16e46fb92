package io.fieldstone.papers.cuda;

import static io.fieldstone.cuda.CudaStructs.bytes;
import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.get;
import static io.fieldstone.cuda.GpuMemory.setByte;

import io.fieldstone.cuda.FakeDecodingKernels.Frame;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import java.lang.foreign.MemorySegment;

/** Java versions of the kernels of HPDS and its baseline. */
final class FakeHpdsKernels {

  private FakeHpdsKernels() {}

  static FakeDriver register(FakeDriver driver) {
    return driver
        .kernel(
            "substitution_baseline_frame",
            bytes("SubstitutionFrameArguments"),
            FakeHpdsKernels::baselineFrame)
        .kernel(
            "substitution_hpds_frame",
            bytes("SubstitutionFrameArguments"),
            FakeHpdsKernels::hpdsFrame)
        .kernel(
            "substitution_hpds_reduce",
            bytes("SubstitutionFrameArguments"),
            FakeHpdsKernels::hpdsReduce);
  }

  private static void baselineFrame(LaunchShape shape, MemorySegment struct) {
    Frame frame = Frame.of(struct);
    long threads = Math.ceilDiv(frame.k(), 4);
    require(shape.blockX() % 32 == 0 && shape.blockY() == 1, "whole warps");
    require(shape.gridX() == Math.ceilDiv(threads, shape.blockX()), "a thread a word");
    frame.solve();
  }

  private static void hpdsFrame(LaunchShape shape, MemorySegment struct) {
    Frame frame = Frame.of(struct);
    require(frame.s() > 0 && frame.partials() % 4 == 0, "earlier frames");
    require(shape.equals(hpds(frame, Math.ceilDiv(frame.s(), 32))), "a thread a word of a frame");
    long stride = 4 * Math.ceilDiv(frame.k(), 4);
    for (int first = 0; first < frame.s(); first += 32) {
      for (long column = 0; column < stride; column++) {
        int sum = 0;
        for (int row = first; row < Math.min(frame.s(), first + 32) && column < frame.k(); row++) {
          sum ^= frame.product(row, column);
        }
        setByte(frame.partials() + first / 32 * stride + column, sum);
      }
    }
  }

  private static LaunchShape hpds(Frame frame, int down) {
    return new LaunchShape((int) Math.ceilDiv(frame.k(), 128), down, 1, 32, 32, 0);
  }

  private static void hpdsReduce(LaunchShape shape, MemorySegment struct) {
    Frame frame = Frame.of(struct);
    require(shape.equals(hpds(frame, 1)), "a thread a word");
    long stride = 4 * Math.ceilDiv(frame.k(), 4);
    for (long column = 0; column < frame.k(); column++) {
      int sum = 0;
      for (int row = 0; row < Math.ceilDiv(frame.s(), 32); row++) {
        sum ^= get(frame.partials() + row * stride + column);
      }
      frame.finish(column, sum);
    }
  }
}
