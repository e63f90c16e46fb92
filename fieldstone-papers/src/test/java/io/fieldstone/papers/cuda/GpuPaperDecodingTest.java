package io.fieldstone.papers.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineStatus;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Decodes on the first GPU of this machine. */
@Tag("gpu")
class GpuPaperDecodingTest extends PaperDecodingContract {

  @Override
  Engine open(String spec) {
    PaperCudaProvider provider = new PaperCudaProvider();
    List<EngineStatus> engines = provider.engines();
    assumeTrue(
        engines.stream().anyMatch(engine -> engine.spec().equals(spec) && engine.isPresent()),
        () -> "no " + spec);
    return provider.open(spec, EngineOptions.DEFAULT);
  }
}
