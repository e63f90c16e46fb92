package io.fieldstone.spark.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.spark.JobFailedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes that are found before Spark starts. */
class MainTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    return Main.run(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        args);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unknown",
        "encode",
        "encode in",
        "encode in -o out --any 12 --of 11",
        "encode in -o out --split 0",
        "encode in -o out --split 9999999T",
        "crc",
        "crc a -c sums",
        "crc a -a CRC-99",
        "sort in -o out",
        "sort in -o out --type u65",
        "sort in -o out --key 0:10 --record 5",
        "sort in -o out --key 10",
        "sort in -o out --type u32 --order up",
        "sort in -o out --type u32 --split 1G",
        "weights bch:31,11",
        "distance bch:31,11",
        "distance --exact",
        "distance bch:31,11 --exact --plan",
        "distance bch:31,11 --exact --parity-check",
        "distance bch:31,11 --exact --seconds 0",
        "distance --x x --z z --exact",
        "distance bch:31,11 --stabilizer five --exact"
      })
  void aMistakeIsAUsageErrorOfOneLine(String line) {
    assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("fieldstone: ").hasLineCount(1);
    assertThat(out.size()).isZero();
  }

  @Test
  void aUsageErrorIsAnObjectToo() {
    assertThat(run("crc", "--json")).isEqualTo(2);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\"error\" : \"missing required parameter", "\"exit\" : 2");
    assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("fieldstone: ").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spark://127.0.0.1:%d | no answer from the master 'spark://127.0.0.1:%d': connection"
            + " refused",
        "spark://no.such.host.invalid:%d | no answer from the master"
            + " 'spark://no.such.host.invalid:%d': unknown host",
        "spark://host | not HOST:PORT in the master 'spark://host'",
      })
  void aMasterThatIsNotThereIsNamed(String master, String problem) throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port = socket.getLocalPort(); // nobody listens there afterwards
    }
    System.setProperty("spark.master", master.formatted(port));
    try {
      assertThat(run("crc", "file")).isEqualTo(1);
    } finally {
      System.clearProperty("spark.master");
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("fieldstone: %s%n".formatted(problem.formatted(port)));
  }

  @Test
  void tooFewBlocksAreAStatusOfTheirOwn() {
    JobFailedException lost = JobFailedException.notRestorable("not enough blocks: film");
    assertThat(Main.status(lost)).isEqualTo(3);
    assertThat(Main.status(new IllegalStateException(lost))).isEqualTo(3);
    assertThat(Main.status(new JobFailedException("no shards"))).isEqualTo(1);
  }

  @Test
  void helpIsPrinted() {
    assertThat(run("sort", "--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("--one-file");
  }
}
