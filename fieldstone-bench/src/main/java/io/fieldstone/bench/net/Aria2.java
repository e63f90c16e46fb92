package io.fieldstone.bench.net;

import io.fieldstone.bench.net.hosts.Hosts;
import io.fieldstone.bench.net.hosts.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * aria2c, which draws ranges of a file from several web servers at once.
 *
 * @param congestionControl of the servers' TCP
 * @param connections connections to each server
 */
record Aria2(String congestionControl, int connections) implements FilePeer {

  private static final int PORT = 8000;

  /** The time without an answer after which aria2 leaves a server. */
  private static final int TIMEOUT_SECONDS = 2;

  @Override
  public String name() {
    return "aria2c, TCP %s x %d".formatted(congestionControl.toUpperCase(Locale.ROOT), connections);
  }

  @Override
  public List<String> commands() {
    return List.of("aria2c");
  }

  @Override
  public Transfer transfer(Hosts hosts, Job job) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "aria2c",
                "--no-conf",
                "--file-allocation=none",
                "--split=" + job.senders().size() * connections,
                "--max-connection-per-server=" + connections,
                "--min-split-size=1M",
                "--timeout=" + TIMEOUT_SECONDS,
                "--connect-timeout=" + TIMEOUT_SECONDS,
                "--dir=" + job.work(),
                "--out=aria2"));
    for (int sender : job.senders()) {
      Process server =
          hosts.start(
              sender, Tools.java(RangeServer.class, Integer.toString(PORT), job.file().toString()));
      Output.await(server, "ready");
      job.serverStarted(sender, server);
      command.add("http://%s:%d/file".formatted(hosts.address(sender), PORT));
    }
    job.begin();
    long start = System.nanoTime();
    Process client =
        hosts.start(job.receivers().getFirst(), command, ProcessBuilder.Redirect.DISCARD);
    boolean ended = client.waitFor(Math.round(job.limitSeconds() * 1e3), TimeUnit.MILLISECONDS);
    double seconds = (System.nanoTime() - start) / 1e9;
    Path result = job.work().resolve("aria2");
    boolean complete = ended && client.exitValue() == 0 && Files.mismatch(job.file(), result) == -1;
    return new Transfer(complete ? Files.size(job.file()) : 0, seconds);
  }
}
