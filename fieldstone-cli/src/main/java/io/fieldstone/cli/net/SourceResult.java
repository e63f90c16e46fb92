package io.fieldstone.cli.net;

import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.trust.Fingerprint;

/** The share of a server in a fetch, for {@code --json}. */
record SourceResult(
    String server,
    String fingerprint,
    long blocks,
    long redundantBlocks,
    String problem,
    boolean isBanned) {

  static SourceResult of(FetchResult.Source source) {
    return new SourceResult(
        source.server(),
        source.fingerprint().map(Fingerprint::toString).orElse(""),
        source.blocks(),
        source.redundant(),
        source.problem(),
        source.isBanned());
  }
}
