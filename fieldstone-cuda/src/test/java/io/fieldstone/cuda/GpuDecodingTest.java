package io.fieldstone.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineStatus;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Decodes on the first GPU of this machine. */
@Tag("gpu")
class GpuDecodingTest extends DecodingContract {

  @Override
  Engine open(String spec) {
    CudaProvider provider = new CudaProvider();
    List<EngineStatus> engines = provider.engines();
    assumeTrue(
        engines.stream().anyMatch(engine -> engine.spec().equals(spec) && engine.isPresent()),
        () -> engines.getFirst().missing().orElse("no " + spec));
    return provider.open(spec, EngineOptions.DEFAULT);
  }
}
