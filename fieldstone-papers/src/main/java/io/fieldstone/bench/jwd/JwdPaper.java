package io.fieldstone.bench.jwd;

import java.util.List;

/** Holds JWD, Table 1: minutes for the joint weight distribution of BCH(127,22), all 2^44 pairs. */
final class JwdPaper {

  /**
   * A row.
   *
   * @param machine the hardware
   * @param method the method on it
   * @param minutes its time
   */
  record Row(String machine, String method, double minutes) {}

  static final List<Row> TABLE_1 =
      List.of(
          new Row("Core i7-3770K, one thread", "all pairs, POPCNT", 465),
          new Row("Core i7-3770K, all threads", "all pairs, POPCNT", 104),
          new Row("GeForce GTX 580", "global", 353),
          new Row("GeForce GTX 580", "local (proposed)", 147),
          new Row("GeForce GTX 680", "global", 50),
          new Row("GeForce GTX 680", "local (proposed)", 143));

  /** The shortest time in minutes. */
  static final double BEST_MINUTES = TABLE_1.stream().mapToDouble(Row::minutes).min().orElseThrow();

  private JwdPaper() {}
}
