package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Heading;
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
          new KernelTcp("cubic"),
          new KernelTcp("bbr"),
          new Kcptun(3),
          new Kcptun(0),
          new Uftp(0.95));

  /** Those that can share a link: they adapt their rate. */
  private static final List<FilePeer> ADAPTIVE =
      List.of(new KernelTcp("cubic"), new KernelTcp("bbr"), new Kcptun(3));

  private static final List<FilePeer> ONE_TO_MANY =
      List.of(new Uftp(0.95), new KernelTcp("bbr"), new KernelTcp("cubic"));

  private static final List<FilePeer> MANY_TO_ONE =
      List.of(new Aria2("cubic"), new Aria2("bbr"));

  private static final List<Double> LOSSES = List.of(0.0, 0.01, 0.05, 0.1, 0.2);
  private static final List<Double> QUICK_LOSSES = List.of(0.01, 0.05);

  private NetBenchmark() {}

  /** Runs all sections that this machine allows; the introduction names what it lacks. */
  public static Report run(BenchOptions options) {
    List<String> introduction = new ArrayList<>();
    introduction.add(
        "All programs move the same random bytes through one router, which forwards between"
            + " network namespaces with a rate, a delay, a queue and seeded random loss. Rates"
            + " count the bytes of the file; 1 Mbit = 10^6 bits.");
    Optional<String> obstacle = VirtualNetwork.obstacle();
    obstacle.ifPresent(why -> introduction.add("Not measured, for want of a network: " + why + "."));
    List<String> missing =
        Stream.of(PEERS, ADAPTIVE, ONE_TO_MANY, MANY_TO_ONE)
            .flatMap(List::stream)
            .flatMap(peer -> peer.commands().stream())
            .filter(command -> Tools.find(command).isEmpty())
            .distinct()
            .toList();
    if (!missing.isEmpty()) {
      introduction.add("Left out, because these commands are not installed: " + String.join(", ", missing) + ".");
    }
    try (TransferRunner runner = new TransferRunner(options.pace())) {
      List<Section> sections = new ArrayList<>();
      if (obstacle.isEmpty()) {
        List<Double> losses = options.pace().allShapes() ? LOSSES : QUICK_LOSSES;
        sections.add(new GoodputSection(runner, installed(PEERS), losses));
        sections.add(new QueueSection(runner, installed(PEERS)));
        sections.add(new SharingSection(runner, installed(ADAPTIVE)));
        sections.add(new ReceiversSection(runner, installed(ONE_TO_MANY)));
        sections.add(new SourcesSection(runner, installed(MANY_TO_ONE)));
      }
      return Section.report(
          options, new Heading("net", "Files over networks", introduction), sections);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<FilePeer> installed(List<FilePeer> peers) {
    return peers.stream()
        .filter(peer ->
            peer.commands().stream().allMatch(command -> Tools.find(command).isPresent()))
        .toList();
  }
}
