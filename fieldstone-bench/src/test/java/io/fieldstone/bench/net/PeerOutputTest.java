package io.fieldstone.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Parses what the measured programs print. */
@Execution(ExecutionMode.CONCURRENT)
class PeerOutputTest {

  /** The end of a transfer of uftp 4.10.2 of which one receiver was lost. */
  private static final String UFTP =
      """
      Got COMPLETE from client 0x0A090002
      Transfer status:
      Host: 0x0A090002       Status: Completed   time:   8.329 seconds
      Host: 0x0A090003       Status: Completed   time:  12.120 seconds
      Host: 0x0A090004       Status: Lost connection
      Total elapsed time: 12.329 seconds
      Overall throughput: 4690.11 KB/s
      """;

  @Test
  void uftpListsTheReceiversThatAreComplete() {
    assertThat(Uftp.completions(UFTP)).containsExactly(8.329, 12.12);
    assertThat(Uftp.completions("")).isEmpty();
  }

  @Test
  void resultsHaveBytesAndSeconds() {
    assertThat(Output.result("result 1000000 2.5")).isEqualTo(new Transfer(1_000_000, 2.5));
    assertThat(Output.result("result 1000000 2.5").megabitsPerSecond()).isEqualTo(3.2);
    assertThat(Output.result("result 10 1 64 65")).isEqualTo(new Transfer(10, 1, 64, 65));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Output.result("ready"))
        .withMessage("'ready' is not a result");
  }

  @Test
  void theSlowestReceiverCounts() {
    Transfer all =
        Transfer.NOTHING_YET.and(new Transfer(10, 1, 5, 6)).and(new Transfer(8, 3, 5, 7));
    assertThat(all).isEqualTo(new Transfer(8, 3, 10, 13));
  }

  /** Starts a client that prints a round of a warm-up, reads an answer, and prints some lines. */
  private static Process client(String... lines) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of("sh", "-c", "echo warm 0; read word; printf '%s\\n' \"$@\"", "client"));
    command.addAll(List.of(lines));
    return new ProcessBuilder(command).start();
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void theTransferBeginsOnceAllClientsHaveBegun() throws IOException {
    AtomicInteger begins = new AtomicInteger();
    FilePeer.Events events =
        new FilePeer.Events() {
          @Override
          public void begin() {
            begins.incrementAndGet();
          }
        };
    Path none = Path.of("none");
    FilePeer.Job job =
        new FilePeer.Job(none, none, none, List.of(0), List.of(1, 2), 100, 60, 0, events);

    List<Process> clients =
        List.of(client("connected", "begin", "result 10 1 5 6"), client("begin", "result 8 3 5 7"));
    assertThat(Output.transfer(List.of(), clients, job)).isEqualTo(new Transfer(8, 3, 10, 13));
    assertThat(begins).hasValue(1);

    List<Process> oneFails = List.of(client("begin", "result 10 1"), client("no server"));
    assertThatIOException()
        .isThrownBy(() -> Output.transfer(List.of(), oneFails, job))
        .withMessageEndingWith("did not print 'begin' but: no server");
    assertThat(begins).as("a transfer that has not begun").hasValue(1);
  }

  @Test
  void crowdsAreReadAsTheyArePrinted() {
    assertThat(CrowdSection.Crowd.parse("crowd 300 2 20.125"))
        .isEqualTo(new CrowdSection.Crowd(300, 2, 20.125));
    assertThatIllegalArgumentException().isThrownBy(() -> CrowdSection.Crowd.parse("crowd 1 2"));
  }
}
