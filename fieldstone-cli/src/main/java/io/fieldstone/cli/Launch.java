package io.fieldstone.cli;

import io.fieldstone.engine.VectorApi;

/**
 * Starts the command.
 *
 * <p>With {@code --add-modules jdk.incubator.vector}, the JVM prints a warning on every run and
 * cannot use the archived module graph. So kernels load the Vector API when they need it ({@link
 * VectorApi#load}), and C2 compiles to the same vector instructions. The jar's manifest exports the
 * package that this needs ({@code Add-Exports}). The training of the cache runs without that
 * module, because no class that needs it can be in the cache.
 */
public final class Launch {

  private Launch() {}

  /** Runs the command and exits with its status. */
  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals(TrainCommand.NAME)) {
      System.setProperty(VectorApi.PROPERTY, "off");
    }
    Main.main(args);
  }
}
