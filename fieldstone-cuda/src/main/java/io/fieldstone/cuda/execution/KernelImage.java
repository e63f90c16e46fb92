package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.CudaException;
import io.fieldstone.cuda.driver.Module;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;

/** The kernels of one .cu file, compiled: a fatbin among this library's resources. */
public final class KernelImage {
  private KernelImage() {}

  /**
   * Puts the kernels of {@code src/main/cuda/NAME.cu} on a device.
   *
   * @throws IllegalArgumentException if there is no such file
   * @throws CudaException if neither the device nor the driver can make use of the image
   */
  public static Module load(Context context, String name) {
    return context.load(read("/io/fieldstone/cuda/" + name + ".fatbin"));
  }

  private static MemorySegment read(String resource) {
    try (InputStream image = KernelImage.class.getResourceAsStream(resource)) {
      if (image == null) {
        throw new IllegalArgumentException("this library has no " + resource);
      }
      return MemorySegment.ofArray(image.readAllBytes());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(resource, unreadable);
    }
  }
}
