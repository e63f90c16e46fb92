package io.fieldstone.net.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Beside one TCP flow of the kernel, through one bottleneck of a network namespace: 50 Mbit/s, no
 * delay but that of the queue. Needs root, ip, tc, unshare, nsenter and iperf3, and an idle
 * machine:
 *
 * <pre>mvn test -pl fieldstone-net -am -Dtest=KernelTcpTest -Dfieldstone.kernel=true
 * -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
@EnabledIfSystemProperty(named = "fieldstone.kernel", matches = "true")
@Timeout(300)
class KernelTcpTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"cubic, 40000", "cubic, 125000", "cubic, 250000", "bbr, 125000"})
  void sharesWithTcp(String control, int queueBytes) throws Exception {
    Map<String, Double> rates = run(control, queueBytes, 20);
    double ratio = rates.get("ours") / rates.get("tcp");
    System.out.printf("beside %s, queue %d: %s, ratio %.2f%n", control, queueBytes, rates, ratio);
    assertThat(ratio).isBetween(0.3, 3.0);
  }

  private Map<String, Double> run(String control, int queueBytes, int seconds) throws Exception {
    Path script = folder.resolve("beside-tcp.sh");
    try (InputStream text = KernelTcpTest.class.getResourceAsStream("beside-tcp.sh")) {
      Files.copy(text, script);
    }
    List<String> command =
        new ArrayList<>(
            List.of("unshare", "-n", "bash", script.toString(), control, "50", "" + queueBytes));
    command.add("" + seconds);
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            PathPeer.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output
        .lines()
        .map(line -> line.split(" "))
        .collect(Collectors.toMap(parts -> parts[0], parts -> Double.parseDouble(parts[1])));
  }
}
