package io.fieldstone.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the message without a working driver, and the properties of a working one. */
class DriverStatusTest {
  private FakeDriver fake = new FakeDriver(2);

  @AfterEach
  void close() {
    assertThat(fake.leaks()).isEmpty();
    fake.close();
  }

  @Test
  void loadsTheDriverOfThisMachine() {
    switch (Driver.load()) {
      case DriverStatus.Present(Driver driver) -> assertThat(driver.devices()).isNotEmpty();
      case DriverStatus.Missing(String why) ->
          assertThat(why).contains("NVIDIA").doesNotContain("\n");
    }
  }

  @Test
  void looksForTheLibraryOfEachSystem() {
    assertThat(Driver.libraryOn("Linux")).isEqualTo("libcuda.so.1");
    assertThat(Driver.libraryOn("Windows 11")).isEqualTo("nvcuda.dll");
  }

  @Test
  void listsDevicesByOrdinal() {
    List<Device> devices = fake.driver().devices();
    assertThat(devices).extracting(Device::ordinal).containsExactly(0, 1);
    assertThat(devices.get(1).name()).isEqualTo("Fake H200 number 1");
    assertThat(devices.get(1)).hasToString("cuda:1 Fake H200 number 1 (compute 9.0)");
  }

  @Test
  void isNoDriverOfNvidias() {
    assertThat(Driver.of(name -> Optional.empty()))
        .isEqualTo(
            new DriverStatus.Missing("the NVIDIA driver (libcuda.so.1) has no cuDriverGetVersion"));
  }

  @Test
  void isTooOld() {
    fake.withVersion(12_080).without("cuEventElapsedTime_v2");
    assertThat(fake.status())
        .isEqualTo(
            new DriverStatus.Missing(
                "the NVIDIA driver speaks CUDA 12.8; Fieldstone needs 13.0 (driver 580 or later)"));
  }

  @Test
  void isNewerThanUs() {
    fake.withVersion(15_020);
    assertThat(fake.driver().version()).isEqualTo(15_020);
  }

  @Test
  void lacksAFunction() {
    var names = new TreeSet<String>();
    Driver.of(name -> {
      names.add(name);
      return fake.symbols().find(name);
    });
    assertThat(names).hasSizeGreaterThan(40);
    for (String name : names) {
      SymbolLookup without =
          other -> other.equals(name) ? Optional.empty() : fake.symbols().find(other);
      assertThat(Driver.of(without))
          .isEqualTo(new DriverStatus.Missing("the NVIDIA driver (libcuda.so.1) has no " + name));
    }
  }

  /**
   * The toolkit has a library to link with that has every function of the driver without an
   * implementation.
   */
  @Test
  void namesFunctionsAsNvidiaDoes() {
    Path stub = Path.of("/usr/local/cuda/lib64/stubs/libcuda.so");
    assumeTrue(Files.exists(stub), "needs the CUDA toolkit: no " + stub);
    assertThat(Driver.of(SymbolLookup.libraryLookup(stub, Arena.global())))
        .isInstanceOfSatisfying(
            DriverStatus.Missing.class,
            missing -> assertThat(missing.why()).contains("cuInit", "CUDA_ERROR_STUB_LIBRARY"));
  }

  @Test
  void findsNoGpu() {
    fake.close();
    fake = new FakeDriver(0);
    assertThat(fake.status()).isEqualTo(new DriverStatus.Missing("the NVIDIA driver finds no GPU"));
  }

  @Test
  void doesNotStart() {
    fake.fail("cuInit", 1, 803);
    assertThat(fake.status())
        .isEqualTo(
            new DriverStatus.Missing(
                "the NVIDIA driver does not start: cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803):"
                    + " what the driver says of 803"));
  }

  @Test
  void doesNotStartWithAnErrorThatItDoesNotKnow() {
    fake.fail("cuDriverGetVersion", 1, 12345);
    fake.fail("cuInit", 1, 12345);
    assertThat(fake.status())
        .isEqualTo(
            new DriverStatus.Missing(
                "the NVIDIA driver does not start: cuInit: CUDA_ERROR_12345 (12345)"));
  }
}
