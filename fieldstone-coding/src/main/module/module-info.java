/** Random linear network coding: generations, objects, streams. */
module io.fieldstone.coding {
  requires transitive io.fieldstone.stream;
  requires static org.jspecify;

  exports io.fieldstone.rlnc;
  exports io.fieldstone.rlnc.crypto;
  exports io.fieldstone.rlnc.fecframe;
  exports io.fieldstone.rlnc.object;
  exports io.fieldstone.rlnc.repair;
  exports io.fieldstone.rlnc.window;
  exports io.fieldstone.rlnc.wire;
}
