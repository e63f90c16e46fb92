package io.fieldstone.cuda.driver;

/** Attributes of a device, numbered as in {@code CUdevice_attribute}. */
public enum DeviceAttribute {
  /** The maximum number of threads per block. */
  MAX_THREADS_PER_BLOCK(1),
  /** The default shared memory per block in bytes. */
  SHARED_BYTES_PER_BLOCK(8),
  /** The maximum row stride of a 2D copy in bytes. */
  MAX_PITCH(11),
  /** The clock rate of the multiprocessors in kHz. */
  CLOCK_KILOHERTZ(13),
  /** The number of multiprocessors. */
  MULTIPROCESSORS(16),
  /** Equals 1 if the device shares its memory with the host. */
  INTEGRATED(18),
  /** The width of the memory bus in bits. */
  MEMORY_BUS_BITS(37),
  /** The size of the L2 cache in bytes. */
  L2_BYTES(38),
  /** The maximum number of resident threads per multiprocessor. */
  MAX_THREADS_PER_MULTIPROCESSOR(39),
  /** The number of asynchronous copy engines. */
  COPY_ENGINES(40),
  /** The major compute capability. */
  COMPUTE_MAJOR(75),
  /** The minor compute capability. */
  COMPUTE_MINOR(76),
  /** The shared memory per multiprocessor in bytes. */
  SHARED_BYTES_PER_MULTIPROCESSOR(81),
  /** Equals 1 if kernels access registered memory at its host address. */
  USES_ADDRESSES_OF_REGISTERED_MEMORY(91),
  /** The maximum shared memory per block in bytes: {@link Function#allowSharedBytes}. */
  MAX_SHARED_BYTES_PER_BLOCK(97);

  private final int number;

  DeviceAttribute(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
