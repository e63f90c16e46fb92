package io.fieldstone.bench.gpu;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import java.util.ArrayList;
import java.util.List;

/** Compares the GPU with all cores of the same machine over a grid of shapes. */
final class GpuAgainstCores implements Section {

  private static final List<Integer> BLOCKS = List.of(16, 32, 64, 128, 256, 512, 1024);
  private static final List<Integer> SIZES = List.of(256, 1024, 4096, 16384);
  private static final List<Integer> FEW_BLOCKS = List.of(16, 128, 1024);
  private static final List<Integer> FEW_SIZES = List.of(256, 4096);

  private static final long GPU_BYTES = 256L << 20;

  /** Source bytes on the cores, which are slower and need fewer to be busy. */
  private static final long CORE_BYTES = 16L << 20;

  /** Numbers of blocks n with a line in the chart. */
  private static final List<Integer> DRAWN = List.of(16, 128, 1024);

  /** The best rate of Nuclei, Sec. V-C: coded GB/s at n = 128 on a GeForce GTX 280. */
  private static final double NUCLEI_GIGABYTES = 0.293;

  private static final String CORES = "cores";
  private static final String RESIDENT = "GPU";
  private static final String TO_HOST = "GPU to the host";

  private final GpuRun gpuRun;
  private final List<Integer> blocks;
  private final List<Integer> sizes;

  GpuAgainstCores(GpuRun gpuRun) {
    this.gpuRun = gpuRun;
    this.blocks = gpuRun.pace().allShapes() ? BLOCKS : FEW_BLOCKS;
    this.sizes = gpuRun.pace().allShapes() ? SIZES : FEW_SIZES;
  }

  @Override
  public int steps() {
    return blocks.size() * sizes.size();
  }

  @Override
  public List<Part> measure(Run run) {
    String all = "%d threads".formatted(gpuRun.engines().threads());
    Table.Builder table =
        Table.named(
            "against-cores",
            "GPU against all cores: encoding, m = n, GB/s of coded bytes",
            "n",
            "k",
            all,
            "GPU",
            "GPU to the host",
            "GPU / " + all,
            "GPU to the host / " + all,
            all + " G GF-MAC/s",
            "GPU G GF-MAC/s");
    List<Chart.Series> lines = new ArrayList<>();
    for (int n : blocks) {
      SeriesBuilder gpu = new SeriesBuilder();
      SeriesBuilder cores = new SeriesBuilder();
      for (int k : sizes) {
        Batch batch = gpuRun.batch(n, k, GPU_BYTES);
        Results results =
            run.compareBriefly(
                "against the cores (%d, %d)".formatted(n, k), loads -> candidates(n, k, loads));
        results
            .of(CORES, Measurement::medianRate)
            .ifPresent(rate -> cores.add(k, rate / batch.n()));
        results
            .of(RESIDENT, Measurement::medianRate)
            .ifPresent(rate -> gpu.add(k, rate / batch.n()));
        table.row(
            Cell.of(batch.n()),
            Cell.of(k),
            results.cell(CORES, measurement -> batch.gigabytes(measurement.medianRate())),
            results.cell(RESIDENT, measurement -> batch.gigabytes(measurement.medianRate())),
            results.cell(TO_HOST, measurement -> batch.gigabytes(measurement.medianRate())),
            Cell.of(results.medianRatio(RESIDENT, CORES)),
            Cell.of(results.medianRatio(TO_HOST, CORES)),
            results.cell(CORES, Measurement::medianRate),
            results.cell(RESIDENT, Measurement::medianRate));
      }
      if (DRAWN.contains(n)) {
        lines.add(gpu.series("GPU, n = " + n, false));
        lines.add(cores.series("%s, n = %d".formatted(all, n), false));
      }
    }
    SeriesBuilder paper = new SeriesBuilder();
    sizes.forEach(k -> paper.add(k, NUCLEI_GIGABYTES));
    lines.add(paper.series("Nuclei (2009), n = 128", true));
    return List.of(
        table
            .note(
                "Resident source blocks of many generations in a call, with coefficients drawn on"
                    + " the engine. The results of the cores are in main memory; those of the GPU"
                    + " stay there, or go to pinned main memory.")
            .build(),
        new Plot(
            new Chart.Lines(
                "against-cores",
                "Encoding by block size: GPU, all cores, and the best of Nuclei",
                "block size k, bytes",
                "coded GB/s",
                lines)));
  }

  private List<Candidate> candidates(int n, int k, Closer loads) {
    List<Candidate> candidates = new ArrayList<>();
    BatchLoad cores =
        loads.register(new BatchLoad(gpuRun.engines().cores(), gpuRun.batch(n, k, CORE_BYTES)));
    candidates.add(cores.toHost(CORES, cores.drawn()));
    gpuRun
        .engines()
        .gpu()
        .ifPresent(gpu -> {
          BatchLoad load = loads.register(new BatchLoad(gpu, gpuRun.batch(n, k, GPU_BYTES)));
          candidates.add(load.resident(RESIDENT, load.drawn()));
          candidates.add(load.toHost(TO_HOST, load.drawn()));
        });
    return candidates;
  }
}
