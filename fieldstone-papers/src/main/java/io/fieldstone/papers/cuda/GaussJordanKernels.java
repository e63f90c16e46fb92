package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * The steps of Gauss–Jordan elimination of [C | x] (Nuclei, Sec. IV-F): {@code gauss_jordan.cu}.
 * They only enqueue work in a slot's stream. Thread-safe.
 */
final class GaussJordanKernels {

  private static final String FILE = "gauss_jordan";
  private static final int WORD = 4;

  /** Threads of a block: few, so that the words of a row spread over many multiprocessors. */
  private static final int THREADS = 64;

  private static final int PIVOT_THREADS = 256;

  private final GridStrideKernel reduce;
  private final Function pivot;
  private final GridStrideKernel eliminate;
  private final GridStrideKernel column;
  private final GridStrideKernel solved;

  public GaussJordanKernels(KernelModules modules) {
    this.reduce = kernel(modules, "reduce");
    this.pivot = modules.function(FILE, FILE + "_pivot");
    this.eliminate = kernel(modules, "eliminate");
    this.column = kernel(modules, "column");
    this.solved = kernel(modules, "solved");
  }

  private static GridStrideKernel kernel(KernelModules modules, String step) {
    return modules.kernel(FILE, FILE + "_" + step, THREADS, 0, 4);
  }

  /**
   * The memory of a system of n blocks of k bytes: n rows [C | x], a reduced row, and a byte per
   * slot that is 1 if the slot holds a row. The bytes must be zero initially.
   *
   * @param address of {@link #bytes}, on a 16-byte boundary
   */
  record State(long address, int n, int k) {

    /** Returns the size of a state, a multiple of 16. */
    static long bytes(int n, int k) {
      return DeviceMatrices.alignedStride(n) + (n + 1) * stride(n, k);
    }

    private static long stride(int n, int k) {
      return DeviceMatrices.alignedStride(n) + DeviceMatrices.alignedStride(k);
    }

    private static long vectorBytes(int n) {
      return Math.ceilDiv(n, WORD) * (long) WORD;
    }

    /** Returns the address of a byte per slot, 1 if it holds a row. */
    long held() {
      return address;
    }

    /** Returns the address of the reduced row. */
    long reduced() {
      return address + DeviceMatrices.alignedStride(n);
    }

    private long rows() {
      return reduced() + stride(n, k);
    }

    /** Returns the payloads of the slots. */
    DeviceMatrices payloads() {
      long stride = stride(n, k);
      return new DeviceMatrices(rows() + vectorBytes(n), 1, n, k, stride, n * stride);
    }

    private long words(int columns) {
      return Math.ceilDiv(n, WORD) + (long) Math.ceilDiv(columns, WORD);
    }
  }

  /**
   * A coded block that joins a system.
   *
   * @param vector the device address of n coefficients
   * @param payload the device address of k bytes
   * @param pivot the address of an int, on the device or in pinned memory: the pivot's column or -1
   */
  record Arrival(State state, long vector, long payload, long pivot) {

    private void write(StreamSlot slot, FieldTables field, int k) {
      slot.arguments()
          .int64(field.address())
          .int64(state.rows())
          .int64(State.stride(state.n(), state.k()))
          .int64(state.held())
          .int64(vector)
          .int64(payload)
          .int64(state.reduced())
          .int64(pivot)
          .int64(k)
          .int32(state.n())
          .int32(field.polynomial());
    }
  }

  /** Enqueues the reduction of a coded block by the rows held. */
  void reduce(StreamSlot slot, FieldTables field, Arrival arrival) {
    reduce(slot, field, arrival, arrival.state().k());
  }

  /** Enqueues the reduction of the vector of a coded block only. */
  void reduceVector(StreamSlot slot, FieldTables field, Arrival arrival) {
    reduce(slot, field, arrival, 0);
  }

  private void reduce(StreamSlot slot, FieldTables field, Arrival arrival, int k) {
    arrival.write(slot, field, k);
    reduce.launchThreads(slot, arrival.state().words(k));
  }

  /** Enqueues the search for the pivot of the reduced row on the GPU. */
  void findPivot(StreamSlot slot, FieldTables field, Arrival arrival) {
    arrival.write(slot, field, arrival.state().k());
    slot.launch(pivot, LaunchShape.of(1, PIVOT_THREADS));
  }

  /** Enqueues the elimination of the pivot's column from the rows held, which the new row joins. */
  void eliminate(StreamSlot slot, FieldTables field, Arrival arrival) {
    arrival.write(slot, field, arrival.state().k());
    eliminate.launchThreads(slot, arrival.state().words(arrival.state().k()));
    column.launchThreads(slot, arrival.state().n());
  }

  /** Enqueues writing a byte per slot to {@link State#reduced}: 1 if its source block is solved. */
  void findSolved(StreamSlot slot, FieldTables field, State state) {
    new Arrival(state, 0, 0, 0).write(slot, field, state.k());
    solved.launchThreads(slot, state.n());
  }
}
