package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.CudaProvider;
import io.fieldstone.cuda.NamedVariant;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineProvider;
import io.fieldstone.engine.EngineStatus;
import java.util.ArrayList;
import java.util.List;

/** Provides engines of each GPU that multiply or decode as a paper does. */
public final class PaperCudaProvider implements EngineProvider {

  private final CudaProvider gpus;

  /** Creates the provider for {@link java.util.ServiceLoader}. */
  public PaperCudaProvider() {
    this(new CudaProvider());
  }

  /** Creates a provider on the GPUs of another. */
  PaperCudaProvider(CudaProvider gpus) {
    List<NamedVariant> variants = new ArrayList<>(List.of(PaperProducts.values()));
    variants.addAll(List.of(PaperDecoding.values()));
    this.gpus = gpus.withVariants(variants);
  }

  @Override
  public int preference() {
    return FOR_MEASUREMENT;
  }

  @Override
  public List<EngineStatus> engines() {
    return gpus.engines();
  }

  @Override
  public Engine open(String spec, EngineOptions options) {
    return gpus.open(spec, options);
  }
}
