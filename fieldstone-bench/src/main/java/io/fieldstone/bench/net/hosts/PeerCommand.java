package io.fieldstone.bench.net.hosts;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Runs {@code fieldstone peer CLASS ARGUMENT…}, which is not for users: a process of the benchmark,
 * in a JVM that is started as that of a command.
 */
@Command(
    name = PeerCommand.NAME,
    hidden = true,
    description = "Run a process of the benchmark of the network.")
final class PeerCommand implements Callable<Integer> {

  /** The name of the command. */
  static final String NAME = "peer";

  @Parameters(
      arity = "1..*",
      paramLabel = "CLASS ARGUMENT",
      description = "A class of the benchmark with a main method, and its arguments.")
  private List<String> words = List.of();

  /** Takes every argument behind the class as it is, also one that begins with a hyphen. */
  @Spec
  void setSpec(CommandSpec spec) {
    spec.parser().stopAtPositional(true);
  }

  @Override
  public Integer call() throws Exception {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodHandle main =
        lookup.findStatic(
            lookup.findClass(words.getFirst()),
            "main",
            MethodType.methodType(void.class, String[].class));
    try {
      main.invokeExact(words.stream().skip(1).toArray(String[]::new));
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e); // a method throws an exception or an error
    }
    return ExitCode.OK;
  }
}
