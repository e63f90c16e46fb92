package io.fieldstone.cuda.driver;

import static org.junit.jupiter.api.Assumptions.abort;

import org.junit.jupiter.api.Tag;

/** Runs the contract on NVIDIA's driver; skipped with a reason if it is missing. */
@Tag("gpu")
class GpuDriverTest extends DriverContract {
  private final Driver driver =
      switch (Driver.load()) {
        case DriverStatus.Present(Driver present) -> present;
        case DriverStatus.Missing(String why) -> abort("needs a GPU: " + why);
      };

  @Override
  Driver driver() {
    return driver;
  }
}
