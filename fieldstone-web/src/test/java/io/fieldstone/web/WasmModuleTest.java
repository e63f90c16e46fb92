package io.fieldstone.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that the committed module of WebAssembly matches its sources, and that they compile. */
class WasmModuleTest {
  private static final WasmModule MODULE = new WasmModule(Path.of(""));

  @Test
  void isOfItsSources() throws IOException {
    assertThat(MODULE.problem()).as("mvn -N -Pnative validate makes it anew, with clang").isEmpty();
  }

  /** The same version of the compiler makes the same bytes. */
  @Test
  void holdsTheCodeOfTheSources(@TempDir Path directory) throws IOException, InterruptedException {
    Path compiler = WasmModule.compiler().orElseGet(() -> abort("needs clang and wasm-ld"));
    Path made = directory.resolve("made.wasm");
    MODULE.link(compiler, made);
    assertThat(made).isNotEmptyFile();
    if (WasmModule.version(compiler).equals(MODULE.compilerVersion())) {
      assertThat(made).hasSameBinaryContentAs(MODULE.file());
    }
  }
}
