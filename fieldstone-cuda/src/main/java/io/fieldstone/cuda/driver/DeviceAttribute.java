package io.fieldstone.cuda.driver;

/** What the driver knows of a device, as {@code CUdevice_attribute} numbers it. */
public enum DeviceAttribute {
  /** Threads that a block may have. */
  MAX_THREADS_PER_BLOCK(1),
  /** Bytes of shared memory that a block has without asking for more. */
  SHARED_BYTES_PER_BLOCK(8),
  /** Bytes from a row to the next that a 2D copy may step over. */
  MAX_PITCH(11),
  /** Clock of the multiprocessors in kHz. */
  CLOCK_KILOHERTZ(13),
  /** Multiprocessors. */
  MULTIPROCESSORS(16),
  /** 1 if the device shares its memory with the host. */
  INTEGRATED(18),
  /** Width of the memory's bus in bits. */
  MEMORY_BUS_BITS(37),
  /** Bytes of the L2 cache. */
  L2_BYTES(38),
  /** Threads that live on a multiprocessor at a time. */
  MAX_THREADS_PER_MULTIPROCESSOR(39),
  /** Engines that copy while kernels run. */
  COPY_ENGINES(40),
  /** Compute capability, before the point. */
  COMPUTE_MAJOR(75),
  /** Compute capability, behind the point. */
  COMPUTE_MINOR(76),
  /** Bytes of shared memory on a multiprocessor. */
  SHARED_BYTES_PER_MULTIPROCESSOR(81),
  /** Bytes of shared memory that a block may ask for: {@link Function#allowSharedBytes}. */
  MAX_SHARED_BYTES_PER_BLOCK(97);

  private final int number;

  DeviceAttribute(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
