package io.fieldstone.cpu.coding;

import io.fieldstone.field.Gf256;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The kernels of an engine by field; the tables of each field are made once. */
public final class KernelsByField {

  private final ProductKernel.Factory factory;
  private final Map<Gf256, ProductKernel> byField = new ConcurrentHashMap<>();

  public KernelsByField(ProductKernel.Factory factory) {
    this.factory = factory;
  }

  public ProductKernel forField(Gf256 field) {
    return byField.computeIfAbsent(field, factory::forField);
  }

  public void close() {
    byField.values().forEach(ProductKernel::close);
  }
}
