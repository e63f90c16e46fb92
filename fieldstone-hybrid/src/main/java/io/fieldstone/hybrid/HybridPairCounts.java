package io.fieldstone.hybrid;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.weights.PairCounting;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.PairTable;
import io.fieldstone.engine.weights.WeightPreconditions;
import io.fieldstone.engine.weights.WordGroups;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Splits the rows of rectangles; each part has all words and a table of its own. */
final class HybridPairCounts implements PairCounts {

  /** Name of the method by which each part uses its own default. */
  private static final String PREFERRED = "preferred";

  private final List<Engine> parts;
  private final TaskPool threads;

  HybridPairCounts(List<Engine> parts, TaskPool threads) {
    this.parts = parts;
    this.threads = threads;
  }

  /** Returns the methods that every part has. */
  @Override
  public List<String> methods() {
    List<String> methods = new ArrayList<>(List.of(PREFERRED));
    parts.getFirst().pairCounts().methods().stream()
        .filter(
            method -> parts.stream().allMatch(part -> part.pairCounts().methods().contains(method)))
        .forEach(methods::add);
    return methods;
  }

  @Override
  public PairCounting open(WordGroups left, WordGroups right, String method) {
    WeightPreconditions.requirePairs(left, right);
    Methods.require(method, "pairs of words", methods());
    List<PairCounting> begun =
        CloseAll.openAll(
            parts.size(),
            part -> {
              PairCounts port = parts.get(part).pairCounts();
              return port.open(
                  left, right, method.equals(PREFERRED) ? port.methods().getFirst() : method);
            },
            PairCounting::close);
    return new Shared(left, right, begun, threads);
  }

  private record Shared(
      WordGroups left, WordGroups right, List<PairCounting> begun, TaskPool threads)
      implements PairCounting {

    @Override
    public void count(
        long firstLeft, long countLeft, long firstRight, long countRight, PairTable table) {
      WeightPreconditions.requireRectangle(
          left, right, firstLeft, countLeft, firstRight, countRight, table);
      List<PairTable> tables =
          IntStream.range(0, begun.size()).mapToObj(_ -> PairTable.of(left, right)).toList();
      WorkQueue.run(
          threads,
          begun.size(),
          countLeft,
          (part, first, count) ->
              begun
                  .get(part)
                  .count(firstLeft + first, count, firstRight, countRight, tables.get(part)));
      tables.forEach(table::addAll);
    }

    @Override
    public void close() {
      CloseAll.closeAll(begun, PairCounting::close);
    }
  }
}
