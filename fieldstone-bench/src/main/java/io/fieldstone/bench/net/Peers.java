package io.fieldstone.bench.net;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/**
 * Runs {@code fieldstone peer CLASS ARGUMENT…}, which is not for users: a process of the benchmark,
 * in a JVM that is started as that of a command.
 */
public final class Peers {

  /** The name of the command. */
  public static final String NAME = "peer";

  private Peers() {}

  /** Tests whether a name is that of a class of this package. */
  public static boolean has(String name) {
    return name.startsWith(Peers.class.getPackageName() + ".");
  }

  /**
   * Runs the main method of a class of this package.
   *
   * @param args {@value #NAME}, the name of the class, and its arguments
   */
  public static void run(String... args) throws Throwable {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodHandle main =
        lookup.findStatic(
            lookup.findClass(args[1]), "main", MethodType.methodType(void.class, String[].class));
    main.invokeExact(Arrays.copyOfRange(args, 2, args.length));
  }
}
