package io.fieldstone.hybrid;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.field.Gf256;
import io.fieldstone.hybrid.JobKind.Operation;
import java.util.EnumSet;
import java.util.List;

/** Splits products by generation, by coded block or by column. */
final class HybridProducts implements Products {

  private final List<Engine> parts;
  private final Dispatcher dispatcher;
  private final SplitRule rule;

  HybridProducts(List<Engine> parts, Dispatcher dispatcher, SplitRule rule) {
    this.parts = parts;
    this.dispatcher = dispatcher;
    this.rule = rule;
  }

  @Override
  public void multiply(
      Gf256 field, Coefficients coefficients, ByteMatrices sources, ByteMatrices products) {
    CodingPreconditions.requireProduct(coefficients, sources, products);
    HeldMemory.run(
        () ->
            multiplyHeld(
                field, coefficients.unconfined(), sources.unconfined(), products.unconfined()),
        coefficients.memory(),
        sources.data(),
        products.data());
  }

  private void multiplyHeld(
      Gf256 field, Coefficients factors, ByteMatrices blocks, ByteMatrices results) {
    long count = results.count();
    int m = results.rows();
    int n = blocks.rows();
    int k = results.columns();
    Split split = rule.split(EnumSet.allOf(Split.class), count, m, k);
    SharedJob.Slice slice =
        switch (split) {
          case GENERATIONS ->
              (part, from, to) ->
                  products(part)
                      .multiply(
                          field,
                          factors.matrices(from, to - from),
                          blocks.matrices(from, to - from),
                          results.matrices(from, to - from));
          case ROWS ->
              (part, from, to) ->
                  products(part)
                      .multiply(
                          field,
                          factors.rows((int) from, (int) (to - from)),
                          blocks,
                          results.rows((int) from, (int) (to - from)));
          case COLUMNS ->
              (part, from, to) ->
                  products(part)
                      .multiply(
                          field,
                          factors,
                          blocks.columns((int) from, (int) (to - from)),
                          results.columns((int) from, (int) (to - from)));
        };
    JobKind kind = JobKind.of(Operation.PRODUCT, split, field, count, m, n, k);
    dispatcher.run(
        SharedJob.of(kind, rule, split.units(count, m, k), SharedJob.work(count, m, n, k), slice));
  }

  private Products products(int part) {
    return parts.get(part).products();
  }
}
