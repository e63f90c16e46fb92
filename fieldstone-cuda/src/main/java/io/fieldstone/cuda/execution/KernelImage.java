package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.CudaException;
import io.fieldstone.cuda.driver.Module;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;

/** Loads compiled kernels: one fatbin per .cu file, a resource of this library. */
public final class KernelImage {
  private KernelImage() {}

  /**
   * Loads the kernels of {@code src/main/cuda/NAME.cu} onto a device.
   *
   * @throws IllegalArgumentException if the resource does not exist
   * @throws CudaException if the image has no code for this device and driver
   */
  public static Module load(Context context, String name) {
    return context.load(read("/io/fieldstone/cuda/" + name + ".fatbin"));
  }

  private static MemorySegment read(String resource) {
    try (InputStream image = KernelImage.class.getResourceAsStream(resource)) {
      if (image == null) {
        throw new IllegalArgumentException("resource " + resource + " is missing");
      }
      return MemorySegment.ofArray(image.readAllBytes());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(resource, unreadable);
    }
  }
}
