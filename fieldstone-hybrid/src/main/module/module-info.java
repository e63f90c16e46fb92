/** Several engines as one, which is found through its service. */
module io.fieldstone.hybrid {
  requires io.fieldstone.engine;
  requires static org.jspecify;

  uses io.fieldstone.engine.EngineProvider;

  provides io.fieldstone.engine.EngineProvider with
      io.fieldstone.hybrid.HybridProvider;
}
