package io.fieldstone.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fieldstone.natives.NativeLibrary;
import io.fieldstone.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** JVMs with and without the Vector API. The JVM of the tests has it. */
@Execution(ExecutionMode.CONCURRENT)
class VectorApiTest {

  private static final String WARNING =
      "network coding is about " + VectorApi.FACTOR + " times slower";
  private static final String NATIVE_OFF = "-Dfieldstone.native=off";
  private static final String EXPORT = "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED";

  /** Loads the Vector API if asked to, and opens the engine twice. */
  static final class Application {
    public static void main(String[] arguments) {
      if (arguments.length > 0) {
        System.out.println("loaded " + VectorApi.load());
      }
      for (int i = 0; i < 2; i++) {
        try (Engine engine = Engine.open("cpu")) {
          System.out.println("description " + engine.description());
        } catch (IllegalArgumentException e) {
          System.out.println("refused " + e.getMessage());
        }
      }
    }
  }

  @Test
  void isLoadedInTheseTests() {
    assertThat(VectorApi.isLoaded()).isTrue();
    assertThat(VectorApi.load()).isTrue();
    assertThat(VectorApi.isRequired()).isFalse();
  }

  @Test
  void aJvmWithoutItWarnsOnceWithTheFactor() throws Exception {
    String output = ChildJvm.runOnly(List.of(NATIVE_OFF), Application.class);

    assertThat(output).containsOnlyOnce(WARNING);
    assertThat(output).containsOnlyOnce("WARNING");
    assertThat(output.lines().filter(line -> line.startsWith("description words"))).hasSize(2);
  }

  @Test
  void nativeKernelsNeedNoWarning() throws Exception {
    assumeThat(NativeLibrary.get().missing()).isEmpty();
    String output =
        ChildJvm.runOnly(List.of("--enable-native-access=ALL-UNNAMED"), Application.class);

    assertThat(output).doesNotContain("WARNING").contains("until there is work for native kernels");
  }

  @Test
  void anExportedPackageLetsTheApplicationLoadIt() throws Exception {
    String output = ChildJvm.runOnly(List.of(EXPORT), Application.class, "load");

    assertThat(output.lines().findFirst()).contains("loaded true");
    assertThat(output).contains("description lane shuffles").doesNotContainIgnoringCase("warning");
  }

  /** A kernel that needs it loads it; opening the engine does not. */
  @Test
  void anExportedPackageLetsAKernelLoadIt() throws Exception {
    String output = ChildJvm.runOnly(List.of(EXPORT, NATIVE_OFF), Application.class);

    assertThat(output).contains("description lane shuffles").doesNotContainIgnoringCase("warning");
  }

  @Test
  void switchedOffItIsNotLoaded() throws Exception {
    String output =
        ChildJvm.runOnly(
            List.of(EXPORT, NATIVE_OFF, "-Dfieldstone.vectors=off"), Application.class);

    assertThat(output)
        .contains("description words of eight symbols, because fieldstone.vectors=off")
        .doesNotContainIgnoringCase("warning");
  }

  @Test
  void withoutTheExportItCannotBeLoaded() throws Exception {
    String output = ChildJvm.runOnly(List.of(NATIVE_OFF), Application.class, "load");

    assertThat(output).contains("loaded false", "description words", WARNING);
  }

  @Test
  void aPropertyMakesItRequired() throws Exception {
    String output = ChildJvm.runOnly(List.of("-Dfieldstone.vectors=required"), Application.class);

    assertThat(output.lines())
        .hasSize(2)
        .containsOnly(
            "refused engine 'cpu' is not available with fieldstone.vectors=required: the JVM was"
                + " started without --add-modules jdk.incubator.vector");
  }

  @Test
  void aPropertyWithAnotherValueIsRefused() throws Exception {
    String output = ChildJvm.runOnly(List.of("-Dfieldstone.vectors=yes"), Application.class);

    assertThat(output).contains("refused fieldstone.vectors=yes is not optional, required or off");
  }
}
