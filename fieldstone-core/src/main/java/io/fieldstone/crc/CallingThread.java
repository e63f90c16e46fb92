package io.fieldstone.crc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;

/**
 * Provides the engine of checksums that were created without one: the CPU, with one thread, the
 * caller's. It holds only tables, and is never closed.
 */
final class CallingThread {

  static final Engine ENGINE = Engine.open("cpu", new EngineOptions(1));

  private CallingThread() {}
}
