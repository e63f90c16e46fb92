package io.fieldstone.cpu;

import io.fieldstone.field.Gf256;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One engine's kernels by field: their tables are made once. */
final class Kernels {

  private final ProductKernel.Factory factory;
  private final Map<Gf256, ProductKernel> byField = new ConcurrentHashMap<>();

  Kernels(ProductKernel.Factory factory) {
    this.factory = factory;
  }

  ProductKernel forField(Gf256 field) {
    return byField.computeIfAbsent(field, factory::forField);
  }

  void close() {
    byField.values().forEach(ProductKernel::close);
  }
}
