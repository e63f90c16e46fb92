/** The engine for NVIDIA GPUs, which is found through its service. */
@SuppressWarnings("module") // papers is compiled after this module
module io.fieldstone.cuda {
  requires io.fieldstone.engine;
  requires jdk.incubator.vector;
  requires static org.jspecify;

  exports io.fieldstone.cuda to
      io.fieldstone.papers;
  exports io.fieldstone.cuda.coding to
      io.fieldstone.papers;
  exports io.fieldstone.cuda.coding.blocks to
      io.fieldstone.papers;
  exports io.fieldstone.cuda.coding.decoding to
      io.fieldstone.papers;
  exports io.fieldstone.cuda.driver to
      io.fieldstone.papers;
  exports io.fieldstone.cuda.execution to
      io.fieldstone.papers;
  exports io.fieldstone.cuda.sorting to
      io.fieldstone.papers;
  exports io.fieldstone.cuda.stars to
      io.fieldstone.papers;
  exports io.fieldstone.cuda.transfer to
      io.fieldstone.papers;

  uses io.fieldstone.cuda.sorting.NamedSorts;
  uses io.fieldstone.cuda.stars.NamedStars;

  provides io.fieldstone.engine.EngineProvider with
      io.fieldstone.cuda.CudaProvider;
}
