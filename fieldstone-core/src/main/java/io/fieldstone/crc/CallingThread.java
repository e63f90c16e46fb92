package io.fieldstone.crc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;

/**
 * The engine of checksums for which none is given: the cores, of which it uses the one that the
 * caller is on. It holds tables and nothing that had to be closed, so it stays.
 */
final class CallingThread {

  static final Engine ENGINE = Engine.open("cpu", new EngineOptions(1));

  private CallingThread() {}
}
