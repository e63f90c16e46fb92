package io.fieldstone.bench.live;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import java.util.List;

/**
 * The encoder, the decoder and the recoder on one core, beside a product of their shape.
 *
 * @param engine has one thread
 */
record CodeSection(Engine engine) implements Section {

  private static final List<Integer> WINDOWS = List.of(64, 256, 1024);

  /** The distances between lost packets, in packets. */
  private static final List<Integer> LOST = List.of(20, 5);

  /** The packets of a stream of the decoder. */
  private static final int STREAM = 4096;

  private static final String PRODUCT = "product";
  private static final String XOR = "XOR of the rows";
  private static final String REPAIR = "encoder, repair";
  private static final String ADD = "encoder, add";
  private static final String RECODE = "recoder, symbol";
  private static final String ALL_LOST = "decoder, every second lost";

  @Override
  public int steps() {
    return WINDOWS.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder symbols =
        Table.named(
            "code",
            "Symbols on one core, by window",
            "window",
            "product, G GF-MAC/s",
            "product / XOR",
            "repairs/s of the encoder",
            "encoder / product",
            "decoder / product",
            "recoder / product");
    Table.Builder packets =
        Table.named(
            "packets",
            "Packets of a stream on one core, thousands per second by window",
            "window",
            "encoder, no repairs",
            "decoder, no loss",
            "decoder, 5 % lost",
            "decoder, 20 % lost",
            "decoder, 50 % lost");
    for (int window : WINDOWS) {
      Results results = run.compare("window " + window, loads -> candidates(run, loads, window));
      double work = (double) window * WindowLoad.SHAPE_BYTES;
      symbols.row(
          Cell.of(window),
          results.cell(PRODUCT, Measurement::bestRate),
          Cell.of(results.ratio(PRODUCT, XOR)),
          results.cell(REPAIR, one -> one.bestRate() * 1e9 / work),
          Cell.of(results.ratio(REPAIR, PRODUCT)),
          Cell.of(results.ratio(ALL_LOST, PRODUCT)),
          Cell.of(results.ratio(RECODE, PRODUCT)));
      packets.row(
          Cell.of(window),
          results.cell(ADD, one -> one.bestRate() * 1e6),
          results.cell(decoding(0), one -> one.bestRate() * 1e6),
          results.cell(decoding(LOST.get(0)), one -> one.bestRate() * 1e6),
          results.cell(decoding(LOST.get(1)), one -> one.bestRate() * 1e6),
          results.cell(ALL_LOST, one -> one.bestRate() * 1e6 * 2 / work));
    }
    return List.of(
        symbols
            .note(
                "A symbol is a 1×w·w×%d product, whose GF-MACs are counted. The product is one"
                        .formatted(WindowLoad.SHAPE_BYTES)
                    + " call of the engine with given coefficients. The XOR is a loop in Java that"
                    + " adds w rows, and counts a GF-MAC for each byte.")
            .note(
                "The decoder receives every second packet, and after it a repair symbol over the"
                    + " whole window, which solves the other one. All of its time counts.")
            .build(),
        packets
            .note(
                "Each lost packet is followed by a repair symbol over the whole window, and is"
                    + " solved. Packets are copied by encoder and decoder, and delivered in order.")
            .build());
  }

  private static String decoding(int lost) {
    return lost == 0 ? "decoder, no loss" : "decoder, one of %d lost".formatted(lost);
  }

  private List<Candidate> candidates(Run run, Closer loads, int window) {
    WindowLoad load = loads.register(new WindowLoad(engine, window));
    int stream = Math.max(run.blocks(STREAM), 64);
    double work = (double) window * WindowLoad.SHAPE_BYTES;
    WindowLoad.Stream half = loads.register(load.stream(stream, 2));
    WindowLoad.Stream clean = loads.register(load.stream(stream, 0));
    WindowLoad.Stream few = loads.register(load.stream(stream, LOST.get(0)));
    WindowLoad.Stream many = loads.register(load.stream(stream, LOST.get(1)));
    return List.of(
        new Candidate(PRODUCT, work, load::product),
        new Candidate(XOR, work, load::xor),
        new Candidate(REPAIR, work, load::repair),
        new Candidate(RECODE, work, load::recode),
        new Candidate(ADD, 1, load::add),
        half.candidate(ALL_LOST, half.lost() * work),
        clean.candidate(decoding(0), stream),
        few.candidate(decoding(LOST.get(0)), stream),
        many.candidate(decoding(LOST.get(1)), stream));
  }
}
