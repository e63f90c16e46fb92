/** Finite-field computing on the cores of a machine, and the ports that other engines implement. */
@SuppressWarnings("module") // cuda and hybrid are compiled after this module
module io.fieldstone.core {
  requires jdk.incubator.vector;
  requires static org.jspecify;

  exports io.fieldstone.crc;
  exports io.fieldstone.engine;
  exports io.fieldstone.engine.checksums;
  exports io.fieldstone.engine.coding;
  exports io.fieldstone.engine.hashes;
  exports io.fieldstone.engine.memory;
  exports io.fieldstone.engine.sorting;
  exports io.fieldstone.engine.stars;
  exports io.fieldstone.engine.weights;
  exports io.fieldstone.field;
  exports io.fieldstone.plane;
  exports io.fieldstone.relays;
  exports io.fieldstone.rlnc;
  exports io.fieldstone.rlnc.backup;
  exports io.fieldstone.rlnc.crypto;
  exports io.fieldstone.rlnc.file;
  exports io.fieldstone.rlnc.object;
  exports io.fieldstone.rlnc.wire;
  exports io.fieldstone.sort;
  exports io.fieldstone.stream;
  exports io.fieldstone.stream.file;
  exports io.fieldstone.weights;
  exports io.fieldstone.weights.codes;
  exports io.fieldstone.concurrent to
      io.fieldstone.cuda,
      io.fieldstone.hybrid;

  uses io.fieldstone.engine.EngineProvider;

  provides io.fieldstone.engine.EngineProvider with
      io.fieldstone.cpu.CpuProvider;
}
