package io.fieldstone.net.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.trust.Fingerprint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.MessageFormat;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state that cannot be written. */
class ServerTrustTest {

  private static final Fingerprint ONE = new Fingerprint("1".repeat(64));

  @TempDir Path folder;
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final Logger logger = Logger.getLogger(ServerTrust.class.getName());
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          String line = MessageFormat.format(record.getMessage(), record.getParameters());
          if (line.contains(folder.toString())) {
            lines.add(line);
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
  }

  @AfterEach
  void end() {
    logger.removeHandler(handler);
  }

  @Test
  void warningsNameTheReasonOnce() throws Exception {
    Path state = Files.createFile(folder.resolve("state"));
    ServerTrust trust = new ServerTrust(List.of(), state);

    trust.remember("a:1", ONE);
    trust.remember("a:1", ONE);

    assertThat(lines)
        .containsExactly(
            "cannot remember the fingerprint of a:1: %s: not a directory".formatted(state));
  }

  @Test
  void aBanThatCannotBeWrittenHoldsAndNamesTheReason() throws Exception {
    Path state = Files.createFile(folder.resolve("state"));
    ServerTrust trust = new ServerTrust(List.of(), state);

    assertThat(trust.convict("a:1", Optional.of(ONE), "sent wrong bytes", true)).isTrue();

    assertThat(lines)
        .containsExactly(
            "cannot remember that a:1 is banned: %s: not a directory".formatted(state));
    assertThat(trust.problem("a:1", ONE)).isPresent();
  }
}
