package io.fieldstone.net.live;

import io.fieldstone.net.dashboard.Incidents;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.peers.KnownServers;
import java.util.List;
import java.util.Optional;

/**
 * What the dashboard shows of live packets, read on the loop.
 *
 * @param peers the other ends of connections
 * @param sent what is sent to all of them
 * @param received what is received
 */
record LiveSnapshot(List<Snapshot.Peer> peers, SenderStatistics sent, ReceiverStatistics received) {

  static final LiveSnapshot NONE =
      new LiveSnapshot(List.of(), SenderStatistics.NONE, ReceiverStatistics.NONE);

  /** The name of the metrics of all live roles. */
  static final String METRICS = "fieldstone_live_";

  /** Returns what is shown of the receivers of all loops; not to be called on one of them. */
  static LiveSnapshot of(List<LiveSenders> senders) {
    List<LiveSnapshot> loops =
        LiveSenders.ask(
            senders,
            each -> new LiveSnapshot(each.peers(), each.statistics(), ReceiverStatistics.NONE),
            NONE);
    return new LiveSnapshot(
        loops.stream().flatMap(each -> each.peers.stream()).toList(),
        SenderStatistics.sum(loops.stream().map(LiveSnapshot::sent).toList()),
        ReceiverStatistics.NONE);
  }

  /** Returns what is shown of the other end of a connection. */
  static Snapshot.Peer peer(LiveLink link, String role, boolean isSource) {
    SenderStatistics sent = link.sender().map(LiveSender::statistics).orElse(SenderStatistics.NONE);
    ReceiverStatistics received =
        link.receiver().map(LiveReceiver::glance).orElse(ReceiverStatistics.NONE);
    boolean isSender = link.sender().isPresent();
    return new Snapshot.Peer(
        KnownServers.name(link.connection().remoteAddress()),
        role,
        isSource,
        "open",
        link.seconds(),
        sent.sourceBytes() + sent.repairBytes(),
        received.deliveredBytes(),
        isSender
            ? Optional.of(sent.lossShare())
            : Snapshot.Peer.share(received.lost(), received.delivered() + received.residual()),
        isSender
            ? Snapshot.Peer.share(sent.repairs(), sent.sources())
            : Snapshot.Peer.share(received.repairs(), received.delivered()),
        Snapshot.Peer.millis(link.connection().stats().rttNanos()),
        isSender ? Optional.of(sent.bytesPerSecond()) : Optional.empty(),
        sent.isCongested() ? "congested" : "");
  }

  /** Returns the snapshot of a process. */
  Snapshot with(Snapshot.Self self, Incidents incidents) {
    return Snapshot.of(self, peers, List.of(), Optional.of(flow()), incidents);
  }

  private Snapshot.Flow flow() {
    return new Snapshot.Flow(
        sent.sources(),
        sent.repairs(),
        sent.skipped(),
        sent.lossShare(),
        sent.redundancy(),
        sent.isCongested(),
        received.delivered(),
        received.lost(),
        received.repaired(),
        received.late(),
        received.residual(),
        received.delayMillis50(),
        received.delayMillis99());
  }
}
