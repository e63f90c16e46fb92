package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.Fatbins;
import io.fieldstone.cuda.FatbinsContract;
import java.nio.file.Path;

/** Checks the fatbins of this module, whose headers are those of fieldstone-cuda. */
class PaperFatbinsTest extends FatbinsContract {

  PaperFatbinsTest() {
    super(new Fatbins(Path.of(""), Path.of("../fieldstone-cuda/src/main/cuda")));
  }
}
