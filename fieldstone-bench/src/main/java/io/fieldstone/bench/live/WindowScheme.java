package io.fieldstone.bench.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.window.Acknowledgement;
import java.util.Arrays;

/**
 * Sends repairs at equal distances, each over all sources that the receiver may lack, and more if
 * it still lacks some a round trip later.
 */
final class WindowScheme extends CodedScheme {

  private static final int ONE_WAY = DelaySimulation.ONE_WAY;

  private final double redundancy;
  private final double loss;

  /** The reports that are on their way. */
  private final Acknowledgement[] reports = new Acknowledgement[ONE_WAY];

  /** The repairs sent in each slot of the last round trip. */
  private final int[] sent = new int[2 * ONE_WAY];

  private int inFlight;
  private double credit;

  /**
   * Creates a scheme that knows the path.
   *
   * @param loss the share of packets that it loses
   */
  WindowScheme(DelaySimulation simulation, Engine engine, double redundancy, double loss) {
    super(simulation, engine);
    this.redundancy = redundancy;
    this.loss = loss;
    Arrays.fill(reports, acknowledgement());
  }

  @Override
  public void onSource(long source) {
    addSource(source);
    turn();
    credit += redundancy;
    while (credit >= 1) {
      credit--;
      send(encoder().first(), encoder().next());
    }
  }

  /** Forgets the repairs that were sent a round trip ago. */
  private void turn() {
    int at = (int) (simulation().slot() % sent.length);
    inFlight -= sent[at];
    sent[at] = 0;
  }

  private void send(long first, long end) {
    sendSymbol(first, (int) (end - first));
    sent[(int) (simulation().slot() % sent.length)]++;
    inFlight++;
  }

  @Override
  public void answer() {
    Acknowledgement report = reports[(int) (simulation().slot() % ONE_WAY)];
    if (simulation().slot() >= encoder().next()) {
      turn();
    }
    encoder().acknowledge(report.firstMissing());
    // Of the repairs on their way, some are lost, and some serve the sources sent with them.
    double coming = inFlight * (1 - loss) - sent.length * loss;
    int needed = (int) Math.ceil(report.deficit() - Math.max(coming, 0));
    for (int i = 0; i < needed; i++) {
      send(report.firstMissing(), report.end());
    }
  }

  @Override
  public void report() {
    reports[(int) (simulation().slot() % ONE_WAY)] = acknowledgement();
  }
}
