package io.fieldstone.net.live;

import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.rlnc.repair.DeliveryTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The receivers of one window on one loop: a stream of a server or of a relay. Each loop has a
 * window of all packets, so that no two threads share one. Used on the loop, except for {@link
 * #loop} and {@link #ask}. The owner closes the window after the server.
 */
final class LiveSenders implements LiveService {

  /** A path is assumed to carry this much until its MTU is known. */
  private static final int MIN_DATAGRAM_BYTES = 1150;

  private final Loop loop;
  private final LiveWindow window;
  private final EndpointSettings settings;
  private final Optional<LiveMessage.Encryption> encryption;
  private final Set<LiveLink> links = new LinkedHashSet<>();

  /** The counts of receivers that have left. */
  private SenderStatistics past = SenderStatistics.NONE;

  private Optional<Long> end = Optional.empty();

  LiveSenders(
      Loop loop,
      LiveWindow window,
      EndpointSettings settings,
      Optional<LiveMessage.Encryption> encryption) {
    this.loop = loop;
    this.window = window;
    this.settings = settings;
    this.encryption = encryption;
  }

  /** Returns the loop. Any thread may ask. */
  Loop loop() {
    return loop;
  }

  /** Asks the receivers of all loops, on each in turn. Not to be called on one of the loops. */
  static <T> List<T> ask(List<LiveSenders> all, Function<LiveSenders, T> question, T ifClosed) {
    return all.stream().map(each -> each.loop.call(() -> question.apply(each), ifClosed)).toList();
  }

  @Override
  public LiveMessage.Purpose purpose() {
    return LiveMessage.Purpose.STREAM;
  }

  @Override
  public void open(LiveMessage.Hello hello, Connection connection, Consumer<Opened> accepted) {
    FlowShape own = window.shape();
    long deadline = hello.deadlineNanos() == 0 ? own.deadlineNanos() : hello.deadlineNanos();
    FlowShape shape = own.from(window.end(), deadline);
    SenderRate rate =
        new SenderRate(
            settings.maxBytesPerSecond(), settings.isCubic(), connection.stats().rttNanos());
    LiveSender sender =
        new LiveSender(window, shape, DeliveryTime.AT_DEADLINE, LivePath.of(connection), rate);
    LiveLink link = new LiveLink(connection, Optional.of(sender), Optional.empty());
    links.add(link);
    List<LiveMessage> answers = new ArrayList<>();
    answers.add(new LiveMessage.Accept(LiveMessage.VERSION, shape, encryption));
    end.ifPresent(last -> answers.add(new LiveMessage.End(last)));
    accepted.accept(new Opened(link, answers));
  }

  @Override
  public void closed(LiveLink link) {
    if (links.remove(link)) {
      past = past.plusCounts(link.sender().orElseThrow().statistics());
    }
  }

  /** Returns the receivers at this moment. */
  Collection<LiveLink> links() {
    return links;
  }

  /** Returns the maximum bytes of a source that all paths carry. */
  int maxSourceBytes(long nowNanos) {
    int least =
        links.stream()
            .mapToInt(each -> each.sender().orElseThrow().maxSourceBytes(nowNanos))
            .min()
            .orElse(0);
    return Math.max(least, LiveSender.maxSourceBytes(MIN_DATAGRAM_BYTES));
  }

  /** Sends what has been added to the window. */
  void added() {
    long wanted = window.end();
    for (LiveLink link : links) {
      link.pump();
      wanted = Math.min(wanted, link.sender().orElseThrow().firstWanted());
    }
    window.release(wanted);
  }

  /** Has a source sent that has become known after later ones. */
  void addedLate(long id) {
    links.forEach(link -> link.sender().orElseThrow().addLate(id));
  }

  /** Returns the sources that wait for the slowest receiver. */
  long waiting() {
    return links.stream().mapToLong(each -> each.sender().orElseThrow().waiting()).max().orElse(0);
  }

  /**
   * Notifies all receivers that the stream has ended.
   *
   * @param last the id after its last source
   */
  void end(long last) {
    end = Optional.of(last);
    links.forEach(link -> sendEnd(link.connection(), last));
  }

  private static void sendEnd(Connection connection, long last) {
    boolean _ = connection.sendControl(LiveMessage.write(new LiveMessage.End(last)));
  }

  /** Closes the connections of all receivers, which connect again. */
  void closeAll(String reason) {
    for (LiveLink link : List.copyOf(links)) {
      link.connection().close(CloseCode.STOPPING, reason);
      link.close();
    }
  }

  /** Returns what the dashboard shows of the receivers. */
  List<Snapshot.Peer> peers() {
    return links.stream().map(link -> LiveSnapshot.peer(link, "receiver", false)).toList();
  }

  /** Returns the numbers of all receivers, those that have left included. */
  SenderStatistics statistics() {
    List<SenderStatistics> all = new ArrayList<>();
    links.forEach(link -> all.add(link.sender().orElseThrow().statistics()));
    return SenderStatistics.sum(all).plusCounts(past);
  }
}
