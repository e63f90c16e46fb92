package io.fieldstone.bench;

import io.fieldstone.engine.Eliminations;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.HostMemory;
import io.fieldstone.engine.Products;
import io.fieldstone.engine.ResidentBlocks;
import io.fieldstone.engine.Substitutions;
import io.fieldstone.field.Gf256;

/**
 * An engine without a progressive elimination of its own: it does what engines do that have nothing
 * better, which is Nuclei's decoding with CPU assistance (Sec. IV-F 1), vectors eliminated row by
 * row and payloads resident. Closing it closes nothing.
 */
record AssistedEngine(Engine engine) implements Engine {

  @Override
  public String spec() {
    return engine.spec();
  }

  @Override
  public String description() {
    return engine.description();
  }

  @Override
  public Products products() {
    return engine.products();
  }

  @Override
  public Eliminations eliminations() {
    return engine.eliminations();
  }

  @Override
  public Substitutions substitutions() {
    return engine.substitutions();
  }

  @Override
  public ResidentBlocks allocate(Gf256 field, long count, int rows, int columns) {
    return engine.allocate(field, count, rows, columns);
  }

  @Override
  public HostMemory allocateHost(long bytes) {
    return engine.allocateHost(bytes);
  }

  @Override
  public void close() {}
}
