package io.fieldstone.cli;

/**
 * Starts the command: adds the Vector API to the running JVM, then calls {@link Main}.
 *
 * <p>The Vector API is an incubator module. With {@code --add-modules}, the JVM prints a warning on
 * every run and cannot use the archived module graph. Loading the module here avoids both, as the
 * JDK does for {@code java.instrument} when an agent attaches. C2 compiles it to the same vector
 * instructions. The jar's manifest exports the package that this needs ({@code Add-Exports}).
 */
public final class Launch {
  private static final String VECTOR_MODULE = "jdk.incubator.vector";

  private Launch() {}

  /** Runs the command and exits with its status. */
  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals(TrainCommand.NAME)) {
      Main.main(args);
    }
    try {
      Class.forName("jdk.internal.module.Modules")
          .getMethod("loadModule", String.class)
          .invoke(null, VECTOR_MODULE);
    } catch (ReflectiveOperationException e) {
      System.err.println(
          "fieldstone: this JVM cannot load the Vector API by itself; set"
              + " FIELDSTONE_JAVA_OPTS=--add-modules="
              + VECTOR_MODULE);
      System.exit(1);
    }
    Main.main(args);
  }
}
