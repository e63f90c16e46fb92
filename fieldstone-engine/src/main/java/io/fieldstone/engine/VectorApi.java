package io.fieldstone.engine;

/**
 * Loads the Vector API of the JDK into the running JVM. The engine {@code cpu} needs it: without
 * it, network coding is about {@value #FACTOR} times slower.
 *
 * <p>The Vector API is the incubator module {@value #MODULE}, which a JVM resolves only if it is
 * started with {@code --add-modules jdk.incubator.vector}. Otherwise an engine loads the module
 * when a kernel first needs it. An application can do so earlier, to see whether it can:
 *
 * {@snippet :
 * public static void main(String[] arguments) {
 *   if (!VectorApi.load()) {
 *     System.err.println("start java with --add-modules jdk.incubator.vector");
 *   }
 *   run(arguments);
 * }
 * }
 *
 * <p>That needs access to a package of the JDK. The manifest of an executable jar grants it with
 * the line {@code Add-Exports: java.base/jdk.internal.module}, and the command line with {@code
 * --add-exports java.base/jdk.internal.module=ALL-UNNAMED}. The JVM then prints no warning about
 * incubator modules. On the module path, {@code io.fieldstone.engine} requires the module, and no
 * call is needed.
 *
 * <p>If the module cannot be loaded, the first kernel that needs it logs one warning, and another
 * replaces it. With the system property {@value #PROPERTY} set to {@code required}, opening the
 * engine {@code cpu} fails instead; with {@code off}, the module is not loaded. A class that opens
 * it for its callers, such as {@code sort.RadixSort}, then fails with an {@link
 * ExceptionInInitializerError} whose cause says why. Thread-safe.
 */
public final class VectorApi {

  /** The module of the Vector API. */
  public static final String MODULE = "jdk.incubator.vector";

  /** The system property: {@code optional} by default, {@code required} or {@code off}. */
  public static final String PROPERTY = "fieldstone.vectors";

  /**
   * The typical ratio of the speeds of network coding with the Vector API and without: 10 to 27 for
   * dense blocks of (128, 4096) on 512-bit vectors of two cores.
   */
  public static final int FACTOR = 20;

  private static final String OPTIONAL = "optional";
  private static final String REQUIRED = "required";
  private static final String OFF = "off";

  private VectorApi() {}

  /**
   * Loads the Vector API if it is absent. Engines that are open already do not use it.
   *
   * @return whether it is loaded now; false if this JVM denies access to its module system, or has
   *     no Vector API
   */
  public static boolean load() {
    if (isLoaded()) {
      return true;
    }
    try {
      Object module =
          Class.forName("jdk.internal.module.Modules")
              .getMethod("loadModule", String.class)
              .invoke(null, MODULE);
      VectorApi.class.getModule().addReads((Module) module);
      return isLoaded();
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** Returns whether the Vector API is loaded. */
  public static boolean isLoaded() {
    try {
      Class.forName(MODULE + ".ByteVector", false, VectorApi.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * Returns whether the system property {@value #PROPERTY} is {@code required}.
   *
   * @throws IllegalArgumentException if it has an unknown value
   */
  public static boolean isRequired() {
    return setting().equals(REQUIRED);
  }

  /**
   * Returns whether the system property {@value #PROPERTY} is {@code off}.
   *
   * @throws IllegalArgumentException if it has an unknown value
   */
  public static boolean isOff() {
    return setting().equals(OFF);
  }

  private static String setting() {
    String value = System.getProperty(PROPERTY, OPTIONAL);
    return switch (value) {
      case REQUIRED, OPTIONAL, OFF -> value;
      default ->
          throw new IllegalArgumentException(
              "%s=%s is not %s, %s or %s".formatted(PROPERTY, value, OPTIONAL, REQUIRED, OFF));
    };
  }
}
