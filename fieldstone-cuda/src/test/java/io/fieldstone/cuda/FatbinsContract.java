package io.fieldstone.cuda;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.fieldstone.cuda.Fatbins.Fatbin;
import io.fieldstone.cuda.Fatbins.Nvcc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The committed fatbins of a module match their sources, and the sources compile. */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class FatbinsContract {
  /** The header of a fatbin, before its entries for one GPU each. */
  private static final int CONTAINER_HEADER = 16;

  private final Fatbins fatbins;

  /** Checks the fatbins of a module. */
  protected FatbinsContract(Fatbins fatbins) {
    this.fatbins = fatbins;
  }

  List<Fatbin> sources() throws IOException {
    return fatbins.list();
  }

  @Test
  void keepsAFatbinOfEachSourceAndNoOther() throws IOException {
    assertThat(fatbins.kept())
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(sources().stream().map(Fatbin::file).toList());
  }

  @ParameterizedTest
  @MethodSource("sources")
  void isOfItsSources(Fatbin fatbin) throws IOException {
    assertThat(fatbin.problem()).as("mvn -N -Pkernels validate makes it anew, with nvcc").isEmpty();
  }

  /**
   * Compiles for one GPU, which takes seconds. If nvcc is the version of the committed fatbin, that
   * contains the output byte for byte. On demand, since origins prove that nothing has changed.
   */
  @EnabledIfSystemProperty(named = "fieldstone.nvcc", matches = "true")
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
