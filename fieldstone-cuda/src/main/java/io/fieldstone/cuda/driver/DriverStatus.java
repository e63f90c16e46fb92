package io.fieldstone.cuda.driver;

/** The result of loading the driver. */
public sealed interface DriverStatus {

  /**
   * A working driver.
   *
   * @param driver the driver
   */
  record Present(Driver driver) implements DriverStatus {}

  /**
   * No working driver.
   *
   * @param why the reason in one line for users, such as "no NVIDIA driver (libcuda.so.1)"
   */
  record Missing(String why) implements DriverStatus {}
}
