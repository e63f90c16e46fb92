/** Finite fields, the ports that engines implement, and the engine of the cores of a machine. */
@SuppressWarnings("module") // cuda, hybrid and papers are compiled after this module
module io.fieldstone.engine {
  requires static java.management;
  requires jdk.incubator.vector;
  requires static org.jspecify;

  exports io.fieldstone.engine;
  exports io.fieldstone.engine.checksums;
  exports io.fieldstone.engine.coding;
  exports io.fieldstone.engine.hashes;
  exports io.fieldstone.engine.memory;
  exports io.fieldstone.engine.sorting;
  exports io.fieldstone.engine.stars;
  exports io.fieldstone.engine.terrain;
  exports io.fieldstone.engine.weights;
  exports io.fieldstone.field;
  exports io.fieldstone.plane;
  exports io.fieldstone.concurrent to
      io.fieldstone.cuda,
      io.fieldstone.hybrid;
  exports io.fieldstone.cpu to
      io.fieldstone.papers;
  exports io.fieldstone.cpu.checksums to
      io.fieldstone.papers;
  exports io.fieldstone.cpu.coding to
      io.fieldstone.papers;
  exports io.fieldstone.cpu.execution to
      io.fieldstone.papers;

  uses io.fieldstone.cpu.checksums.NamedDivisions;
  uses io.fieldstone.engine.EngineProvider;

  provides io.fieldstone.engine.EngineProvider with
      io.fieldstone.cpu.CpuProvider;
}
