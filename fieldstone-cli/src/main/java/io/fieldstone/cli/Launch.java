package io.fieldstone.cli;

import io.fieldstone.engine.VectorApi;

/**
 * Starts the command: adds the Vector API to the running JVM, then calls {@link Main}.
 *
 * <p>With {@code --add-modules}, the JVM prints a warning on every run and cannot use the archived
 * module graph. {@link VectorApi#load} avoids both, and C2 compiles to the same vector
 * instructions. The jar's manifest exports the package that this needs ({@code Add-Exports}).
 */
public final class Launch {

  private Launch() {}

  /** Runs the command and exits with its status. */
  public static void main(String[] args) {
    boolean isTraining = args.length > 0 && args[0].equals(TrainCommand.NAME);
    if (!isTraining && !VectorApi.load()) {
      System.err.println(
          "fieldstone: this JVM cannot load the Vector API by itself; set"
              + " FIELDSTONE_JAVA_OPTS=--add-modules="
              + VectorApi.MODULE);
      System.exit(1);
    }
    Main.main(args);
  }
}
