package io.fieldstone.rlnc.fecframe;

import java.util.OptionalDouble;

/**
 * The counters of a {@link FecReceiver}.
 *
 * <p>A source symbol is decided when it leaves the linear system. It is then lost by the path if no
 * source packet brought it, also if it was solved.
 *
 * @param decided source symbols that have left the linear system
 * @param pathLost those of them that no source packet brought
 * @param unsolved those of them that were neither received nor solved
 * @param received source symbols that source packets brought, each once
 * @param solved source symbols that were solved
 * @param repairSymbols repair symbols received
 * @param duplicates source packets received again with equal bytes
 * @param late packets older than the linear system
 * @param refused packets that were malformed or of an unknown flow, contradicted a symbol that was
 *     known, combined too many symbols, or had an ESI far from the others
 * @param damaged solved symbols whose flow, length or padding is impossible
 * @param restarts jumps of the ESI after which the receiver has begun again
 */
public record FecStatistics(
    long decided,
    long pathLost,
    long unsolved,
    long received,
    long solved,
    long repairSymbols,
    long duplicates,
    long late,
    long refused,
    long damaged,
    long restarts) {

  /** Returns the share of source symbols that the path lost; empty while none is decided. */
  public OptionalDouble pathLoss() {
    return share(pathLost);
  }

  /** Returns the share of source symbols that stayed lost; empty while none is decided. */
  public OptionalDouble residualLoss() {
    return share(unsolved);
  }

  private OptionalDouble share(long part) {
    return decided == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) part / decided);
  }
}
