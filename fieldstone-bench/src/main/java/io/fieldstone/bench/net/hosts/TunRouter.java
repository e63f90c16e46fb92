package io.fieldstone.bench.net.hosts;

import io.fieldstone.net.impairment.Direction;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A router between network namespaces, as a process that runs in a namespace of its own.
 *
 * <p>Arguments are a seed and a {@link RouterEnd} for each end. Each end becomes a namespace with a
 * TUN device. A packet passes the link up from its sender and the link down to its receiver; a
 * multicast packet goes to all other ends. The process prints {@code end PID} for each end, which
 * names a process in the namespace, then {@code ready}. Each line on the standard input prints the
 * counters of all links; at its end the process stops and the namespaces vanish.
 */
final class TunRouter {

  private static final long IDLE_NANOS = 20_000_000;
  private static final int READS_PER_TURN = 64;
  private static final int IP_VERSION_4 = 0x40;
  private static final int DESTINATION_OFFSET = 16;
  private static final int HEADER_BYTES = 20;

  /** Addresses from 224 are multicast. */
  private static final int MIN_MULTICAST = 224;

  /** More than the number of links, so that two runs have no link with the same losses. */
  private static final long SEEDS_PER_RUN = 1000;

  private static final int DEVICE_QUEUE_PACKETS = 10_000;

  /** An address of all ends but the sender. */
  private static final int ALL = -1;

  /** The indices of the ends that a packet comes from and goes to, or {@link #ALL}. */
  private record Route(int from, int to) {}

  /** The links by the index of their end; ends that share a link have the same one. */
  private final List<Direction<Route>> up = new ArrayList<>();

  private final List<Direction<Route>> down = new ArrayList<>();
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment buffer = arena.allocate(TunDevices.MAX_PACKET_BYTES, 8);
  private final TunDevices devices;
  private final BlockingQueue<String> requests;
  private final PrintStream answers;
  private long lateNanos;
  private long delivered;

  private TunRouter(TunDevices devices, BlockingQueue<String> requests, PrintStream answers) {
    this.devices = devices;
    this.requests = requests;
    this.answers = answers;
  }

  /** Runs the router; see the class. */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<Process> namespaces = new ArrayList<>();
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    Thread.ofPlatform().daemon().start(() -> readRequests(requests));
    try (TunDevices devices = new TunDevices()) {
      TunRouter router = new TunRouter(devices, requests, out);
      long seed = Long.parseLong(args[0]);
      List<RouterEnd> ends = Arrays.stream(args).skip(1).map(RouterEnd::parse).toList();
      for (RouterEnd end : ends) {
        int index = namespaces.size();
        boolean shares = end.behind() != RouterEnd.OWN_LINKS;
        router.up.add(
            shares
                ? router.up.get(end.behind())
                : new Direction<>(end.up(), 0, SEEDS_PER_RUN * seed + 2L * index));
        router.down.add(
            shares
                ? router.down.get(end.behind())
                : new Direction<>(end.down(), 0, SEEDS_PER_RUN * seed + 2L * index + 1));
        namespaces.add(namespace(devices, index, end));
        out.println("end " + namespaces.get(index).pid());
      }
      out.println("ready");
      router.run();
    } finally {
      namespaces.forEach(Process::destroy);
    }
  }

  private static void readRequests(BlockingQueue<String> requests) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        requests.add(line);
      }
    } catch (IOException closed) {
      // the same as the end of the input
    }
    requests.add("stop");
  }

  /** Creates the namespace of an end, which lasts as long as the process returned. */
  private static Process namespace(TunDevices devices, int index, RouterEnd end)
      throws IOException, InterruptedException {
    Process holder =
        new ProcessBuilder("unshare", "-n", "sh", "-c", "echo ready; exec cat")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (holder.getInputStream().read() < 0) {
      throw new IOException("unshare cannot create a network namespace");
    }
    String device = "tun" + index;
    devices.add(device);
    shell("ip link set %s netns %d".formatted(device, holder.pid()));
    shell(
        ("nsenter -t %1$d -n sh -c 'ip link set lo up && ip addr add %2$s/32 dev %3$s"
                + " && ip link set %3$s up txqueuelen %4$d multicast on"
                + " && ip route add 224.0.0.0/4 dev %3$s"
                + " && ip route add %5$s dev %3$s src %2$s congctl %6$s'")
            .formatted(
                holder.pid(),
                RouterEnd.address(index),
                device,
                DEVICE_QUEUE_PACKETS,
                RouterEnd.NETWORK,
                end.congestionControl()));
    return holder;
  }

  private static void shell(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("failed: " + command);
    }
  }

  private void run() throws IOException {
    while (true) {
      for (String request = requests.poll(); request != null; request = requests.poll()) {
        if (request.equals("stop")) {
          return;
        }
        printCounters();
      }
      deliver();
      long next = Math.min(first(up).nextNanos(), first(down).nextNanos());
      devices.await(
          next == Long.MAX_VALUE
              ? IDLE_NANOS
              : Math.clamp(next - System.nanoTime(), 0, IDLE_NANOS));
      for (int device = 0; device < up.size(); device++) {
        if (devices.hasPacket(device)) {
          receive(device);
        }
      }
    }
  }

  private void printCounters() {
    StringBuilder line = new StringBuilder("counters ");
    line.append(delivered == 0 ? 0 : lateNanos / delivered / 1000);
    for (int i = 0; i < up.size(); i++) {
      line.append(' ').append(LinkText.of(up.get(i).counts()));
      line.append(' ').append(LinkText.of(down.get(i).counts()));
    }
    answers.println(line);
  }

  private void receive(int device) throws IOException {
    for (int i = 0; i < READS_PER_TURN; i++) {
      int length = devices.read(device, buffer);
      if (length == 0) {
        return;
      }
      route(device, buffer.asSlice(0, length), System.nanoTime());
    }
  }

  /** Sends a packet over the link up from its end. */
  private void route(int from, MemorySegment packet, long now) {
    if (packet.byteSize() < HEADER_BYTES
        || (packet.get(ValueLayout.JAVA_BYTE, 0) & 0xf0) != IP_VERSION_4) {
      return;
    }
    int first = packet.get(ValueLayout.JAVA_BYTE, DESTINATION_OFFSET) & 0xff;
    int to = (packet.get(ValueLayout.JAVA_BYTE, DESTINATION_OFFSET + 3) & 0xff) - 1;
    boolean isMulticast = first >= MIN_MULTICAST;
    if (isMulticast || (to >= 0 && to < up.size())) {
      up.get(from).offer(packet.asByteBuffer(), new Route(from, isMulticast ? ALL : to), now);
    }
  }

  /** Moves the packets that are due: onto the links down, and into their ends. */
  private void deliver() throws IOException {
    long now = System.nanoTime();
    for (var link = first(up); link.nextNanos() <= now; link = first(up)) {
      var packet = Objects.requireNonNull(link.poll(now));
      Route route = packet.target();
      for (int end = 0; end < down.size(); end++) {
        if (end == route.to || (route.to == ALL && end != route.from)) {
          down.get(end).offer(packet.bytes(), new Route(route.from, end), packet.nanos());
        }
      }
    }
    for (var link : down) {
      for (var packet = link.poll(now); packet != null; packet = link.poll(now)) {
        buffer.asByteBuffer().put(packet.bytes().duplicate());
        devices.write(packet.target().to, buffer, packet.bytes().remaining());
        lateNanos += now - packet.nanos();
        delivered++;
      }
    }
  }

  /** Returns the link whose next packet leaves first. */
  private static Direction<Route> first(List<Direction<Route>> links) {
    Direction<Route> first = links.getFirst();
    for (Direction<Route> link : links) {
      if (link.nextNanos() < first.nextNanos()) {
        first = link;
      }
    }
    return first;
  }
}
