package io.fieldstone.cuda;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the fatbins of this module. */
class FatbinsTest extends FatbinsContract {

  private static final Path HEADERS = Path.of("src/main/cuda");

  FatbinsTest() {
    super(new Fatbins(Path.of(""), HEADERS));
  }

  @Test
  void noticesAChangeOfASourceOrAFatbin(@TempDir Path module) throws IOException {
    Path source = module.resolve("src/test/cuda/proof.cu");
    Path fatbin = module.resolve("src/test/resources/io/fieldstone/cuda/proof.fatbin");
    Path origin = fatbin.resolveSibling("proof.fatbin.origin");
    for (Path copy :
        List.of(source, fatbin, origin, module.resolve(HEADERS).resolve("nvcc.flags"))) {
      Files.createDirectories(copy.getParent());
      Files.copy(module.relativize(copy), copy);
    }
    var fatbins = new Fatbins(module, module.resolve(HEADERS));
    assertThat(fatbins.list().getFirst().problem()).isEmpty();
    Files.writeString(fatbin, "x", APPEND);
    assertThat(fatbins.list().getFirst().problem()).get().asString().contains("origin says");
    Files.writeString(source, "// x", APPEND);
    assertThat(fatbins.list().getFirst().problem()).get().asString().contains("not of its sources");
    Files.delete(origin);
    assertThat(fatbins.list().getFirst().problem()).get().asString().contains("missing");
  }
}
