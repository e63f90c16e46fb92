package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.net.hosts.Tools;
import io.fieldstone.bench.net.hosts.VirtualNetwork;
import io.fieldstone.bench.report.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Runs {@code bench net}. */
public final class NetBenchmark {

  /** The names of the sections, in the order in which they run. */
  public static final List<String> SECTIONS =
      List.of(
          "goodput",
          "queue",
          "late",
          "sharing",
          "receivers",
          "sources",
          "hops",
          "tunnel",
          "butterfly",
          "polluters",
          "loopback",
          "crowd");

  /** The sections that need network namespaces. */
  private static final Set<String> ON_NETWORKS =
      Set.of("goodput", "queue", "late", "sharing", "receivers", "sources", "hops", "tunnel");

  private static final List<String> TRIAL_SECTIONS =
      List.of("goodput", "butterfly", "polluters", "loopback", "crowd");

  private static final List<FilePeer> PEERS =
      List.of(
          new Fieldstone(false),
          new Fieldstone(true),
          new QuicStream("BBR"),
          new QuicStream("CUBIC"),
          new KernelTcp("bbr"),
          new KernelTcp("cubic"),
          new Kcptun(3),
          new Kcptun(0),
          new Uftp(0.95));

  /** The programs that adapt their rate, so that they can share a link. */
  private static final List<FilePeer> ADAPTIVE =
      List.of(
          new Fieldstone(false),
          new Fieldstone(true),
          new KernelTcp("cubic"),
          new KernelTcp("bbr"),
          new Kcptun(3));

  private static final List<FilePeer> ONE_TO_MANY =
      List.of(new Fieldstone(false), new Uftp(0.95), new KernelTcp("bbr"), new KernelTcp("cubic"));

  private static final List<FilePeer> MANY_TO_ONE =
      List.of(
          new Fieldstone(false),
          new Aria2("cubic", 1),
          new Aria2("cubic", 4),
          new Aria2("bbr", 1),
          new Aria2("bbr", 4));

  /** Programs that need no relay between two lossy links. */
  private static final List<FilePeer> END_TO_END =
      List.of(new Fieldstone(false), new KernelTcp("bbr"), new KernelTcp("cubic"), new Kcptun(3));

  /** Ways of a TCP connection, also with the windows that the path of the section needs. */
  private static final List<TcpPath> INSIDE =
      List.of(
          new KernelTcp("cubic"),
          new Kcptun(3),
          new Kcptun(3, 2048),
          new Kcptun(10, 2048),
          new FieldstoneTunnel());

  private static final List<KernelTcp> NEIGHBOURS =
      List.of(new KernelTcp("cubic"), new KernelTcp("bbr"));

  private static final List<LoopbackSection.Pair> ON_LOOPBACK =
      List.of(onLoopback(1350, 2, List.of(new KernelTcp("cubic"))), onLoopback(4300, 4, List.of()));

  private static final List<Integer> CROWDS = List.of(300, 1000);

  /** More receivers need more than two cores. */
  private static final List<Integer> QUICK_CROWDS = List.of(300);

  private static final List<Double> LOSSES = List.of(0.0, 0.01, 0.05, 0.1, 0.2);
  private static final List<Double> QUICK_LOSSES = List.of(0.01, 0.05, 0.1, 0.2);

  private static final List<Double> TUNNEL_LOSSES = List.of(0.0, 0.05, 0.1, 0.2);
  private static final List<Double> QUICK_TUNNEL_LOSSES = List.of(0.0, 0.1);

  private NetBenchmark() {}

  /**
   * Runs all sections that this machine allows, or that of the options; the introduction names what
   * it lacks.
   *
   * @throws UncheckedIOException if the section of the options needs a network, and there is none
   */
  public static Report run(BenchOptions options) {
    List<String> introduction = new ArrayList<>();
    introduction.add(
        "All programs move the same random bytes through one router, which forwards between"
            + " network namespaces with a rate, a delay, a queue and seeded random loss. Rates"
            + " count the bytes of the file; 1 Mbit = 10^6 bits.");
    Optional<String> obstacle = VirtualNetwork.obstacle();
    if (obstacle.isPresent() && options.section().filter(ON_NETWORKS::contains).isPresent()) {
      throw new UncheckedIOException(
          new IOException(
              "section '%s' needs a network: %s"
                  .formatted(options.section().get(), obstacle.get())));
    }
    obstacle.ifPresent(
        why -> introduction.add("Not measured, for want of a network: " + why + "."));
    List<String> missing =
        Stream.of(PEERS, ADAPTIVE, ONE_TO_MANY, MANY_TO_ONE, END_TO_END, INSIDE)
            .<Peer>flatMap(List::stream)
            .flatMap(peer -> peer.commands().stream())
            .filter(command -> Tools.find(command).isEmpty())
            .distinct()
            .toList();
    if (!missing.isEmpty()) {
      introduction.add(
          "Left out, because these commands are not installed: "
              + String.join(", ", missing)
              + ".");
    }
    try (TransferRunner runner = new TransferRunner(options.pace(), options.bytes())) {
      return Section.report(
          options,
          new Heading("net", "Files over networks", introduction),
          sections(options, runner, obstacle.isEmpty()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Section> sections(
      BenchOptions options, TransferRunner runner, boolean hasNetwork) {
    Pace pace = options.pace();
    boolean isTrial = pace.shrink() > 1; // a test of the benchmark
    Goals goals = new Goals();
    List<Section> sections = new ArrayList<>();
    for (String name : isTrial ? TRIAL_SECTIONS : SECTIONS) {
      if ((hasNetwork || !ON_NETWORKS.contains(name))
          && options.section().map(name::equals).orElse(true)) {
        sections.add(section(name, pace, runner, goals));
      }
    }
    sections.add(goals);
    return sections;
  }

  private static Section section(String name, Pace pace, TransferRunner runner, Goals goals) {
    boolean isTrial = pace.shrink() > 1;
    List<Double> losses = pace.allShapes() ? LOSSES : QUICK_LOSSES;
    return switch (name) {
      case "goodput" ->
          new GoodputSection(
              runner,
              isTrial ? PEERS.subList(0, 1) : installed(PEERS),
              isTrial ? QUICK_LOSSES.subList(0, 1) : losses,
              goals);
      case "queue" -> new QueueSection(runner, installed(PEERS), goals);
      case "late" -> new LateSection(runner, installed(PEERS));
      case "sharing" ->
          new SharingSection(
              runner,
              installed(ADAPTIVE),
              pace.allShapes() ? NEIGHBOURS : NEIGHBOURS.subList(0, 1),
              goals);
      case "receivers" -> new ReceiversSection(runner, installed(ONE_TO_MANY));
      case "sources" -> new SourcesSection(runner, installed(MANY_TO_ONE), goals);
      case "hops" -> new HopsSection(runner, installed(END_TO_END), goals);
      case "tunnel" ->
          new TunnelSection(
              installed(INSIDE), pace.allShapes() ? TUNNEL_LOSSES : QUICK_TUNNEL_LOSSES, 30);
      case "butterfly" -> new ButterflySection(runner, goals);
      case "polluters" -> new PollutersSection(runner, goals);
      case "loopback" ->
          new LoopbackSection(runner, isTrial ? ON_LOOPBACK.subList(0, 1) : ON_LOOPBACK, goals);
      case "crowd" -> {
        List<Integer> crowds = pace.allShapes() ? CROWDS : QUICK_CROWDS;
        yield new CrowdSection(runner, isTrial ? List.of(2) : crowds, goals);
      }
      default -> throw new IllegalArgumentException("no section '%s'".formatted(name));
    };
  }

  private static LoopbackSection.Pair onLoopback(
      int packetBytes, double minGigabits, List<FilePeer> others) {
    return new LoopbackSection.Pair(
        packetBytes,
        minGigabits,
        new QuicStream("BBR", packetBytes),
        new Fieldstone(false, packetBytes),
        others);
  }

  private static <P extends Peer> List<P> installed(List<P> peers) {
    return peers.stream()
        .filter(
            peer -> peer.commands().stream().allMatch(command -> Tools.find(command).isPresent()))
        .toList();
  }
}
