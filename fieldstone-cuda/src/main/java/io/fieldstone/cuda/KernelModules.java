package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.Module;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The compiled kernels on a device, those of each source file loaded when first wanted. */
final class KernelModules {

  private final Context context;
  private final Loader loader;
  private final Map<String, Module> modules = new ConcurrentHashMap<>();

  /** Puts the kernels of a source file on a device. */
  interface Loader {
    Module load(Context context, String file);
  }

  KernelModules(Context context, Loader loader) {
    this.context = context;
    this.loader = loader;
  }

  /**
   * A kernel whose blocks loop over the work.
   *
   * @param file its source, without {@code .cu}
   * @param blockX threads of a block
   * @param sharedBytes dynamic shared memory of a block
   * @param waves how many times over blocks may fill the GPU
   * @throws IllegalArgumentException if there is no such kernel
   */
  GridKernel kernel(String file, String name, int blockX, int sharedBytes, int waves) {
    Module module = modules.computeIfAbsent(file, source -> loader.load(context, source));
    return new GridKernel(context, module, name, blockX, sharedBytes, waves);
  }
}
