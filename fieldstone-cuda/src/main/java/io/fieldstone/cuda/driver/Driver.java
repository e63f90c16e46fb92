package io.fieldstone.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** The NVIDIA driver of this process. Immutable and thread-safe. */
public final class Driver {

  /**
   * The minimum CUDA version of a driver, 13.0. The kernels are compiled by nvcc 13, and NVIDIA
   * guarantees that its output runs on drivers of its major version and later ("CUDA
   * Compatibility", Minor Version Compatibility). Every GPU that the kernels support has such a
   * driver.
   */
  static final int MIN_VERSION = 13_000;

  /** The first driver branch that supports {@link #MIN_VERSION}. */
  private static final int MIN_BRANCH = 580;

  private static final String LIBRARY = libraryOn(System.getProperty("os.name", ""));

  private final DriverCalls calls;
  private final int version;
  private final List<Device> devices;

  private Driver(DriverCalls calls, int version) {
    this.calls = calls;
    this.version = version;
    this.devices = listDevices();
  }

  /**
   * Returns the name under which an operating system has the driver: {@code libcuda.so.1}, or
   * {@code nvcuda.dll} on Windows, where it has not been tested.
   */
  static String libraryOn(String operatingSystem) {
    return operatingSystem.startsWith("Windows") ? "nvcuda.dll" : "libcuda.so.1";
  }

  /** Loads the driver of this machine. Never throws. */
  public static DriverStatus load() {
    SymbolLookup library;
    try {
      library = SymbolLookup.libraryLookup(LIBRARY, Arena.global());
    } catch (IllegalArgumentException notFound) {
      return new DriverStatus.Missing("no NVIDIA driver (" + LIBRARY + ")");
    } catch (IllegalCallerException denied) {
      return new DriverStatus.Missing(
          "this JVM forbids native access (--enable-native-access=ALL-UNNAMED allows it)");
    }
    return of(library);
  }

  /** Loads the driver from a library, which must stay loaded. */
  public static DriverStatus of(SymbolLookup library) {
    try {
      int version = DriverCalls.version(library);
      if (version > 0 && version < MIN_VERSION) {
        return new DriverStatus.Missing(
            "the NVIDIA driver speaks CUDA "
                + versionText(version)
                + "; Fieldstone needs "
                + versionText(MIN_VERSION)
                + " (driver "
                + MIN_BRANCH
                + " or later)");
      }
      var calls = new DriverCalls(library);
      calls.init(0);
      return new DriverStatus.Present(new Driver(calls, version));
    } catch (MissingSymbolException missing) {
      return new DriverStatus.Missing(
          "the NVIDIA driver (" + LIBRARY + ") has no " + missing.getMessage());
    } catch (CudaException failed) {
      return new DriverStatus.Missing(
          failed.error().code() == CudaError.NO_DEVICE
              ? "the NVIDIA driver finds no GPU"
              : "the NVIDIA driver does not start: " + failed.getMessage());
    }
  }

  /** Returns the supported CUDA version, 1000 × major + 10 × minor: 13000 for 13.0. */
  public int version() {
    return version;
  }

  /** Returns the devices that are visible to this process, by ordinal. */
  public List<Device> devices() {
    return devices;
  }

  private List<Device> listDevices() {
    int count;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_INT);
      calls.deviceGetCount(out.address());
      count = out.get(ValueLayout.JAVA_INT, 0);
    }
    List<Device> list = new ArrayList<>(count);
    for (int ordinal = 0; ordinal < count; ordinal++) {
      list.add(Device.of(calls, ordinal));
    }
    return List.copyOf(list);
  }

  private static String versionText(int version) {
    return version / 1000 + "." + version % 1000 / 10;
  }
}
