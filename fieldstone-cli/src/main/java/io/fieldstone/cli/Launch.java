package io.fieldstone.cli;

/**
 * Where the JVM enters: adds the Vector API to the running JVM, then hands over to {@link Main}.
 *
 * <p>The Vector API is an incubator module. Asked for with {@code --add-modules}, it makes the JVM
 * print a warning on every run and give up the module graph that its class archive holds. Loaded
 * here, the way the JDK itself loads {@code java.instrument} when an agent attaches, it does
 * neither; C2 compiles it to the same vector instructions. The jar's manifest opens the one package
 * that this needs ({@code Add-Exports}).
 */
public final class Launch {
  private static final String VECTOR_MODULE = "jdk.incubator.vector";

  private Launch() {}

  /** Runs the command and exits with its status. */
  public static void main(String[] args) {
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
