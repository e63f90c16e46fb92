package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs {@code bench net}. */
public final class NetBenchmark {

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

  /** Those that can share a link: they adapt their rate. */
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

  /** The first row is the transport without coding. */
  private static final List<FilePeer> ON_LOOPBACK =
      List.of(new QuicStream("BBR"), new Fieldstone(false), new KernelTcp("cubic"));

  private static final List<Integer> CROWDS = List.of(300, 1000);
  private static final List<Integer> QUICK_CROWDS = List.of(300);

  private static final List<Double> LOSSES = List.of(0.0, 0.01, 0.05, 0.1, 0.2);
  private static final List<Double> QUICK_LOSSES = List.of(0.01, 0.05, 0.1, 0.2);

  private NetBenchmark() {}

  /** Runs all sections that this machine allows; the introduction names what it lacks. */
  public static Report run(BenchOptions options) {
    List<String> introduction = new ArrayList<>();
    introduction.add(
        "All programs move the same random bytes through one router, which forwards between"
            + " network namespaces with a rate, a delay, a queue and seeded random loss. Rates"
            + " count the bytes of the file; 1 Mbit = 10^6 bits.");
    Optional<String> obstacle = VirtualNetwork.obstacle();
    obstacle.ifPresent(
        why -> introduction.add("Not measured, for want of a network: " + why + "."));
    List<String> missing =
        Stream.of(PEERS, ADAPTIVE, ONE_TO_MANY, MANY_TO_ONE)
            .flatMap(List::stream)
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
    try (TransferRunner runner = new TransferRunner(options.pace())) {
      List<Section> sections = sections(options.pace(), runner, obstacle.isEmpty());
      return Section.report(
          options, new Heading("net", "Files over networks", introduction), sections);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Section> sections(Pace pace, TransferRunner runner, boolean hasNetwork) {
    List<Section> sections = new ArrayList<>();
    boolean isTrial = pace.shrink() > 1; // a test of the benchmark
    if (hasNetwork) {
      List<Double> losses = pace.allShapes() ? LOSSES : QUICK_LOSSES;
      List<Double> some = isTrial ? QUICK_LOSSES.subList(0, 2) : losses;
      sections.add(
          new GoodputSection(runner, isTrial ? PEERS.subList(0, 1) : installed(PEERS), some));
    }
    if (hasNetwork && !isTrial) {
      sections.add(new QueueSection(runner, installed(PEERS)));
      sections.add(new SharingSection(runner, installed(ADAPTIVE)));
      sections.add(new ReceiversSection(runner, installed(ONE_TO_MANY)));
      sections.add(new SourcesSection(runner, installed(MANY_TO_ONE)));
    }
    sections.add(new LoopbackSection(runner, ON_LOOPBACK));
    sections.add(new CrowdSection(runner, crowds(pace, isTrial)));
    return sections;
  }

  private static List<Integer> crowds(Pace pace, boolean isTrial) {
    if (isTrial) {
      return List.of(2);
    }
    return pace.allShapes() ? CROWDS : QUICK_CROWDS;
  }

  private static List<FilePeer> installed(List<FilePeer> peers) {
    return peers.stream()
        .filter(
            peer -> peer.commands().stream().allMatch(command -> Tools.find(command).isPresent()))
        .toList();
  }
}
