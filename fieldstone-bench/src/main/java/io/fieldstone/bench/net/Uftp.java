package io.fieldstone.bench.net;

import io.fieldstone.bench.net.hosts.Hosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * uftp: multicast at a fixed rate with negative acknowledgements, in passes over the file.
 *
 * @param rateShare the rate that its user sets, as a share of the link's rate
 */
record Uftp(double rateShare) implements FilePeer {

  private static final Pattern COMPLETED =
      Pattern.compile("Status: Completed\\s+time:\\s+([0-9.]+) seconds");

  @Override
  public String name() {
    return "uftp, rate set to %.0f %%".formatted(100 * rateShare);
  }

  @Override
  public List<String> commands() {
    return List.of("uftp", "uftpd");
  }

  @Override
  public Transfer transfer(Hosts hosts, Job job) throws IOException, InterruptedException {
    for (int end : job.receivers()) {
      Path folder = Files.createDirectory(job.work().resolve("uftp" + end));
      hosts.start(
          end,
          List.of("uftpd", "-d", "-I", "tun" + end, "-D", folder.toString()),
          ProcessBuilder.Redirect.DISCARD);
    }
    TimeUnit.MILLISECONDS.sleep(500); // a receiver says nothing when it is ready
    long kilobits = Math.round(job.linkMegabits() * rateShare * 1000);
    int sender = job.senders().getFirst();
    Process process =
        hosts.start(
            sender,
            List.of(
                "uftp",
                "-I",
                "tun" + sender,
                "-R",
                Long.toString(kilobits),
                job.file().toString()));
    String output = Output.all(process);
    List<Double> seconds = completions(output);
    boolean complete = process.waitFor() == 0 && seconds.size() == job.receivers().size();
    return new Transfer(
        complete ? Files.size(job.file()) : 0,
        seconds.stream().mapToDouble(Double::doubleValue).max().orElse(job.limitSeconds()));
  }

  /** Returns the times of the receivers that have the whole file. */
  static List<Double> completions(String output) {
    List<Double> seconds = new ArrayList<>();
    for (Matcher found = COMPLETED.matcher(output); found.find(); ) {
      seconds.add(Double.parseDouble(found.group(1)));
    }
    return seconds;
  }
}
