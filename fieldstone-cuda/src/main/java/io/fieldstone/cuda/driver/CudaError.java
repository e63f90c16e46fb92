package io.fieldstone.cuda.driver;

import java.io.Serializable;

/**
 * An error that the driver reported.
 *
 * @param code the {@code CUresult}
 * @param name its name, such as CUDA_ERROR_LAUNCH_FAILED
 * @param text the driver's description; may be empty
 */
public record CudaError(int code, String name, String text) implements Serializable {

  static final int SUCCESS = 0;
  static final int INVALID_VALUE = 1;
  static final int OUT_OF_MEMORY = 2;
  static final int DEINITIALIZED = 4;
  static final int NO_DEVICE = 100;
  static final int INVALID_CONTEXT = 201;
  static final int NO_BINARY_FOR_GPU = 209;
  static final int ECC_UNCORRECTABLE = 214;
  static final int PEER_ACCESS_UNSUPPORTED = 217;
  static final int NVLINK_UNCORRECTABLE = 220;
  static final int JIT_COMPILER_NOT_FOUND = 221;
  static final int UNSUPPORTED_PTX_VERSION = 222;
  static final int CONTAINED = 226;
  static final int NOT_FOUND = 500;
  static final int NOT_READY = 600;
  static final int ILLEGAL_ADDRESS = 700;
  static final int LAUNCH_TIMEOUT = 702;
  static final int PEER_ACCESS_ALREADY_ENABLED = 704;
  static final int CONTEXT_IS_DESTROYED = 709;
  static final int ASSERT = 710;
  static final int TOO_MANY_PEERS = 711;
  static final int HARDWARE_STACK_ERROR = 714;
  static final int ILLEGAL_INSTRUCTION = 715;
  static final int MISALIGNED_ADDRESS = 716;
  static final int INVALID_ADDRESS_SPACE = 717;
  static final int INVALID_PC = 718;
  static final int LAUNCH_FAILED = 719;
  static final int TENSOR_MEMORY_LEAK = 721;
  static final int EXTERNAL_DEVICE = 911;

  /**
   * Returns whether the context is lost: every later call on it fails, and its memory is gone. For
   * most of these errors cuda.h says that they leave "the process in an inconsistent state and any
   * further CUDA work will return the same error". The others mean that memory cannot be trusted or
   * that the context is destroyed.
   */
  boolean losesContext() {
    return switch (code) {
      case DEINITIALIZED,
          INVALID_CONTEXT,
          ECC_UNCORRECTABLE,
          NVLINK_UNCORRECTABLE,
          CONTAINED,
          ILLEGAL_ADDRESS,
          LAUNCH_TIMEOUT,
          CONTEXT_IS_DESTROYED,
          ASSERT,
          HARDWARE_STACK_ERROR,
          ILLEGAL_INSTRUCTION,
          MISALIGNED_ADDRESS,
          INVALID_ADDRESS_SPACE,
          INVALID_PC,
          LAUNCH_FAILED,
          TENSOR_MEMORY_LEAK,
          EXTERNAL_DEVICE ->
          true;
      default -> false;
    };
  }

  /** Returns name, code and text in one line. */
  @Override
  public String toString() {
    return text.isEmpty() ? name + " (" + code + ")" : name + " (" + code + "): " + text;
  }
}
