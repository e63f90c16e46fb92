package io.fieldstone.kernels;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.fieldstone.kernels.SharedObjects.Compiler;
import io.fieldstone.kernels.SharedObjects.SharedObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the committed shared objects match their sources, and that the sources compile. */
class SharedObjectsTest {
  private static final SharedObjects OBJECTS = new SharedObjects(Path.of(""));

  static List<SharedObject> platforms() {
    return OBJECTS.list();
  }

  @Test
  void keepsASharedObjectOfEachPlatformAndNoOther() throws IOException {
    assertThat(OBJECTS.kept())
        .containsExactlyInAnyOrderElementsOf(
            platforms().stream().map(SharedObject::platform).toList());
  }

  @ParameterizedTest
  @MethodSource("platforms")
  void isOfItsSources(SharedObject object) throws IOException {
    assertThat(object.problem())
        .as("mvn -N -Pnative validate makes it anew, with %s", object.compilerName())
        .isEmpty();
  }

  @Test
  void noticesAChangeOfASourceOrASharedObject(@TempDir Path module) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.createDirectories(module.resolve(file).getParent());
        Files.copy(file, module.resolve(file));
      }
    }
    SharedObject object = new SharedObjects(module).list().getFirst();
    assertThat(object.problem()).isEmpty();
    Files.writeString(object.file(), "x", APPEND);
    assertThat(object.problem()).get().asString().contains("origin says");
    Files.writeString(module.resolve("src/main/c/level.c"), "// x", APPEND);
    assertThat(object.problem()).get().asString().contains("not of its sources");
    Files.delete(object.file());
    assertThat(object.problem()).get().asString().contains("missing");
  }

  /** The same version of the compiler makes the same bytes. */
  @ParameterizedTest
  @MethodSource("platforms")
  void holdsTheMachineCodeOfTheSources(SharedObject object, @TempDir Path directory)
      throws IOException, InterruptedException {
    Compiler compiler = object.compiler().orElseGet(() -> abort("needs " + object.compilerName()));
    Path made = directory.resolve("made.so");
    compiler.link(object, made);
    assertThat(made).isNotEmptyFile();
    if (compiler.version().equals(object.compilerVersion())) {
      assertThat(made).hasSameBinaryContentAs(object.file());
    }
  }
}
