/** The engine for NVIDIA GPUs, which is found through its service. */
module io.fieldstone.cuda {
  requires io.fieldstone.engine;
  requires jdk.incubator.vector;
  requires static org.jspecify;

  provides io.fieldstone.engine.EngineProvider with
      io.fieldstone.cuda.CudaProvider;
}
