package io.fieldstone.bench;

import static io.fieldstone.bench.NucleiPaper.BLOCKS;
import static io.fieldstone.bench.NucleiPaper.BLOCK_SIZE;
import static io.fieldstone.bench.NucleiPaper.CPU;
import static io.fieldstone.bench.NucleiPaper.GPU;

import io.fieldstone.rlnc.Code;
import java.util.ArrayList;
import java.util.List;

/** Sec. IV-F: decoding one generation, block by block or at once. */
final class NucleiDecoding extends TableSection {

  private static final String ONE = ", 1 thread";
  private static final String ALL = ", all threads";
  private static final String PROGRESSIVE = "progressive";
  private static final String ASSISTED = "progressive, GPU with CPU assistance";
  private static final String ALONE = "progressive, GPU";
  private static final String BUFFERED = "buffered";
  private static final String BUFFERED_GPU = "buffered, GPU";

  private final Lineup lineup;

  NucleiDecoding(Lineup lineup) {
    super("decode (1024, 2048)");
    this.lineup = lineup;
  }

  @Override
  List<Candidate> candidates(Run run, Closer loads) {
    DecodeLoad load =
        loads.register(
            new DecodeLoad(lineup.cores(), new Code.Dense(), run.blocks(BLOCKS), BLOCK_SIZE));
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(load.progressive(PROGRESSIVE + ONE, lineup.oneCore()));
    candidates.add(load.progressive(PROGRESSIVE + ALL, lineup.cores()));
    candidates.add(load.buffered(BUFFERED + ONE, lineup.oneCore()));
    candidates.add(load.buffered(BUFFERED + ALL, lineup.cores()));
    lineup.gpu("assisted").ifPresent(gpu -> candidates.add(load.progressive(ASSISTED, gpu)));
    lineup
        .gpu()
        .ifPresent(gpu -> {
          candidates.add(load.progressive(ALONE, gpu));
          candidates.add(load.buffered(BUFFERED_GPU, gpu));
        });
    return candidates;
  }

  @Override
  Table table(Run run, Results results) {
    return Table.named(
            "decoding",
            "Sec. IV-F: decoding (n = 1024, k = 2048), milliseconds",
            "decoder",
            "paper ms",
            "paper's machine",
            "here, 1 thread ms",
            "here, %d threads ms".formatted(lineup.threads()),
            "here, GPU ms")
        .row(onCores(PROGRESSIVE, 2031, results))
        .row(onGpu(ASSISTED, 2484, results))
        .row(onGpu(ALONE, 6073, results))
        .row(onCores(BUFFERED, 1688, results))
        .row(onGpu(BUFFERED_GPU, 2175, results))
        .note(
            "Progressive on the cores and with CPU assistance: coefficients are eliminated on the"
                + " cores as blocks arrive, payloads are multiplied once the generation is"
                + " complete; the paper's reduces payloads on arrival. \"GPU\" is whatever the"
                + " engine itself does.")
        .note("From coded blocks in main memory to source blocks there.")
        .build();
  }

  private static List<Cell> onCores(String decoder, double paperMillis, Results results) {
    return List.of(
        Cell.of(decoder),
        Cell.of(paperMillis),
        Cell.of(CPU),
        results.cell(decoder + ONE, Measurement::bestMillis),
        results.cell(decoder + ALL, Measurement::bestMillis),
        Cell.empty());
  }

  private static List<Cell> onGpu(String decoder, double paperMillis, Results results) {
    return List.of(
        Cell.of(decoder),
        Cell.of(paperMillis),
        Cell.of(GPU),
        Cell.empty(),
        Cell.empty(),
        results.cell(decoder, Measurement::bestMillis));
  }
}
