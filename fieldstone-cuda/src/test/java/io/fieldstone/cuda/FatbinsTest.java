package io.fieldstone.cuda;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.fieldstone.cuda.Fatbins.Fatbin;
import io.fieldstone.cuda.Fatbins.Nvcc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the committed fatbins match their sources, and that the sources compile. */
class FatbinsTest {
  /** The header of a fatbin, before its entries for one GPU each. */
  private static final int CONTAINER_HEADER = 16;

  private static final Fatbins FATBINS = new Fatbins(Path.of(""));

  static List<Fatbin> sources() throws IOException {
    return FATBINS.list();
  }

  @Test
  void keepsAFatbinOfEachSourceAndNoOther() throws IOException {
    assertThat(FATBINS.kept())
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(sources().stream().map(Fatbin::file).toList());
  }

  @ParameterizedTest
  @MethodSource("sources")
  void isOfItsSources(Fatbin fatbin) throws IOException {
    assertThat(fatbin.problem()).as("mvn -N -Pkernels validate makes it anew, with nvcc").isEmpty();
  }

  @Test
  void noticesAChangeOfASourceOrAFatbin(@TempDir Path module) throws IOException {
    Path source = module.resolve("src/test/cuda/proof.cu");
    Path fatbin = module.resolve("src/test/resources/io/fieldstone/cuda/proof.fatbin");
    Path origin = fatbin.resolveSibling("proof.fatbin.origin");
    for (Path copy : List.of(source, fatbin, origin, module.resolve("src/main/cuda/nvcc.flags"))) {
      Files.createDirectories(copy.getParent());
      Files.copy(module.relativize(copy), copy);
    }
    var fatbins = new Fatbins(module);
    assertThat(fatbins.list().getFirst().problem()).isEmpty();
    Files.writeString(fatbin, "x", APPEND);
    assertThat(fatbins.list().getFirst().problem()).get().asString().contains("origin says");
    Files.writeString(source, "// x", APPEND);
    assertThat(fatbins.list().getFirst().problem()).get().asString().contains("not of its sources");
    Files.delete(origin);
    assertThat(fatbins.list().getFirst().problem()).get().asString().contains("missing");
  }

  /**
   * Compiles for one GPU, which takes seconds. If nvcc is the version of the committed fatbin, that
   * contains the output byte for byte.
   */
  @ParameterizedTest
  @MethodSource("sources")
  void holdsTheMachineCodeOfTheSources(Fatbin fatbin) throws IOException, InterruptedException {
    Nvcc nvcc = Nvcc.find().orElseGet(() -> abort("needs nvcc"));
    Path one =
        Files.createDirectories(Path.of("target/kernels")).resolve(fatbin.file().getFileName());
    nvcc.compile(fatbin, fatbin.flags("sm_90a"), one);
    byte[] made = Files.readAllBytes(one);
    assertThat(made).hasSizeGreaterThan(CONTAINER_HEADER);
    if (nvcc.version().equals(fatbin.nvccVersion())) {
      // One character per byte, for a substring search.
      String entry = new String(made, ISO_8859_1).substring(CONTAINER_HEADER);
      assertThat(new String(Files.readAllBytes(fatbin.file()), ISO_8859_1).contains(entry))
          .as("%s holds the machine code of its source for sm_90a", fatbin.file())
          .isTrue();
    }
  }
}
