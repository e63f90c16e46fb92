package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.Module;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The compiled kernels on a device, those of each source file loaded when first wanted. */
public final class KernelModules {

  private final Context context;
  private final Loader loader;
  private final Map<String, Module> modules = new ConcurrentHashMap<>();

  /** Puts the kernels of a source file on a device. */
  public interface Loader {
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
  public GridStrideKernel kernel(String file, String name, int blockX, int sharedBytes, int waves) {
    return new GridStrideKernel(context, module(file), name, blockX, sharedBytes, waves);
  }

  /**
   * A kernel whose launches have the shape of the work.
   *
   * @param file its source, without {@code .cu}
   * @throws IllegalArgumentException if there is no such kernel
   */
  public Function function(String file, String name) {
    return module(file).function(name);
  }

  private Module module(String file) {
    return modules.computeIfAbsent(file, source -> loader.load(context, source));
  }
}
