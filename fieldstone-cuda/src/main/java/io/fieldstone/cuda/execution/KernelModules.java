package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.Module;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The kernels of a device; each source file is loaded at its first use. Thread-safe. */
public final class KernelModules {

  private final Context context;
  private final Loader loader;
  private final Map<String, Module> modules = new ConcurrentHashMap<>();

  /** Loads the kernels of a source file onto a device. */
  public interface Loader {
    Module load(Context context, String file);
  }

  KernelModules(Context context, Loader loader) {
    this.context = context;
    this.loader = loader;
  }

  /**
   * Returns a kernel with a grid-stride loop.
   *
   * @param file the source file without {@code .cu}
   * @param blockX the threads of a block
   * @param sharedBytes the dynamic shared memory of a block
   * @param waves the maximum number of blocks per resident block
   * @throws IllegalArgumentException if the file has no such kernel
   */
  public GridStrideKernel kernel(String file, String name, int blockX, int sharedBytes, int waves) {
    return new GridStrideKernel(context, module(file), name, blockX, sharedBytes, waves);
  }

  /**
   * Returns a kernel whose launch shape depends on the work.
   *
   * @param file the source file without {@code .cu}
   * @throws IllegalArgumentException if the file has no such kernel
   */
  public Function function(String file, String name) {
    return module(file).function(name);
  }

  private Module module(String file) {
    return modules.computeIfAbsent(file, source -> loader.load(context, source));
  }
}
