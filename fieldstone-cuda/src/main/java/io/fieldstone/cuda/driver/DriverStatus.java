package io.fieldstone.cuda.driver;

/** The driver, or why there is none to use. */
public sealed interface DriverStatus {

  /**
   * A driver that works.
   *
   * @param driver to use
   */
  record Present(Driver driver) implements DriverStatus {}

  /**
   * No driver that works.
   *
   * @param why in one line for a user, such as "no NVIDIA driver (libcuda.so.1)"
   */
  record Missing(String why) implements DriverStatus {}
}
