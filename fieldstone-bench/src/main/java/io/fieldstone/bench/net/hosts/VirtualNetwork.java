package io.fieldstone.bench.net.hosts;

import io.fieldstone.bench.measure.Processes;
import io.fieldstone.net.impairment.LinkCounts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * Network namespaces around a {@link TunRouter}, and the processes that run in them. Nothing in
 * them reaches another network. Processes may be started by any thread; counters are read by one.
 */
public final class VirtualNetwork implements Hosts {

  /**
   * Counters of all links.
   *
   * @param lateMicros mean time that the router delivered packets late
   */
  public record Counters(long lateMicros, List<LinkCounts> up, List<LinkCounts> down) {

    static Counters parse(String line) {
      String[] words = line.split(" ", -1);
      if (words.length < 2 || words.length % 2 != 0 || !words[0].equals("counters")) {
        throw new IllegalArgumentException("'%s' has no counters".formatted(line));
      }
      List<LinkCounts> up = new ArrayList<>();
      List<LinkCounts> down = new ArrayList<>();
      for (int i = 2; i < words.length; i += 2) {
        up.add(LinkText.counts(words[i]));
        down.add(LinkText.counts(words[i + 1]));
      }
      return new Counters(Long.parseLong(words[1]), up, down);
    }
  }

  private static final List<String> TOOLS = List.of("unshare", "nsenter", "ip");
  private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

  private final Processes processes;
  private final Writer requests;
  private final BufferedReader answers;
  private final List<String> ends = new ArrayList<>();

  private VirtualNetwork(Processes processes, Process router) {
    this.processes = processes;
    this.requests = router.outputWriter(StandardCharsets.UTF_8);
    this.answers = router.inputReader(StandardCharsets.UTF_8);
  }

  /** Says why this machine cannot have such a network; empty if it can. */
  public static Optional<String> obstacle() {
    for (String tool : TOOLS) {
      if (Tools.find(tool).isEmpty()) {
        return Optional.of("the command '%s' is missing".formatted(tool));
      }
    }
    if (!Files.exists(Path.of("/dev/net/tun"))) {
      return Optional.of("the kernel has no TUN devices");
    }
    try (VirtualNetwork _ = open(1, List.of(RouterEnd.unlimited()))) {
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("no network namespaces: " + e.getMessage());
    }
  }

  /**
   * Makes a network.
   *
   * @param seed of the losses
   * @param ends the ends of the router; end {@code i} has {@link RouterEnd#address}
   */
  public static VirtualNetwork open(long seed, List<RouterEnd> ends) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("unshare", "--user", "--map-root-user", "--net"));
    if (IS_ROOT) { // the router stands for hardware, which waits for no processor
      command.addAll(0, List.of("nice", "-n", "-10"));
    }
    command.addAll(Tools.java(TunRouter.class));
    command.add(Long.toString(seed));
    ends.forEach(end -> command.add(end.toString()));
    Processes processes = new Processes();
    try {
      Process router =
          processes.start(
              new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
      VirtualNetwork network = new VirtualNetwork(processes, router);
      String line = network.answer();
      for (; line.startsWith("end "); line = network.answer()) {
        network.ends.add(line.substring("end ".length()));
      }
      if (!line.equals("ready")) {
        throw new IOException("the router says: " + line);
      }
      return network;
    } catch (IOException | RuntimeException e) {
      processes.close();
      throw e;
    }
  }

  @Override
  public String address(int end) {
    return RouterEnd.address(end);
  }

  @Override
  public Process start(int end, List<String> command, ProcessBuilder.Redirect output)
      throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of("nsenter", "-t", ends.get(end), "-U", "-n", "--preserve-credentials"));
    all.addAll(command);
    return processes.start(
        new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(output));
  }

  @Override
  public boolean isClosed() {
    return processes.isClosed();
  }

  /**
   * Reads the counters of all links.
   *
   * @throws CancellationException if the network is closed
   */
  public Counters counters() throws IOException {
    requests.write("counters\n");
    requests.flush();
    return Counters.parse(answer());
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      if (processes.isClosed()) {
        throw new CancellationException("the network is closed");
      }
      throw new IOException("the router stopped");
    }
    return line;
  }

  /** Stops all processes of the network, its router too. */
  @Override
  public void close() {
    processes.close();
  }
}
