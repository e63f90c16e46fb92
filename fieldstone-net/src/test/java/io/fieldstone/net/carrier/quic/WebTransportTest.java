package io.fieldstone.net.carrier.quic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fieldstone.net.browser.HeadlessBrowser;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.trust.BrowserCertificates;
import io.fieldstone.net.trust.Identity;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real browser connects; skipped where there is none. */
@Timeout(120)
class WebTransportTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int DATAGRAMS = 200;

  /** Answers what a browser sends, and closes on request. */
  private static final class Echo implements ConnectionHandler {
    final CompletableFuture<CloseReason> closed = new CompletableFuture<>();
    private @Nullable Connection connection;
    private int left;

    @Override
    public void opened(Connection opened) {
      connection = opened;
    }

    private Connection connection() {
      return java.util.Objects.requireNonNull(connection);
    }

    @Override
    public void datagram(MemorySegment bytes) {
      assertThat(bytes.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
      left = DATAGRAMS;
      send();
    }

    private void send() {
      byte[] datagram = new byte[1152 + 10];
      while (left > 0 && connection().sendDatagram(MemorySegment.ofArray(datagram))) {
        left--;
      }
      connection().flush();
    }

    @Override
    public void control(MemorySegment message) {
      if (message.byteSize() == 1) {
        connection().close(20, "enough of this");
      } else {
        connection().sendControl(message);
      }
    }

    @Override
    public void writable() {
      send();
    }

    @Override
    public void closed(CloseReason reason) {
      closed.complete(reason);
    }
  }

  private static String script(Listener listener, BrowserCertificates certificates, String body) {
    String hashes =
        certificates.fingerprints().stream()
            .map(each -> "'" + each.hex() + "'")
            .collect(Collectors.joining(","));
    return """
    import {report} from './report.js';
    const hashes = [%s].map(hex => ({algorithm: 'sha-256',
      value: Uint8Array.from(hex.match(/../g), pair => parseInt(pair, 16)).buffer}));
    const url = 'https://127.0.0.1:%d/';
    try {
      %s
    } catch (e) {
      report('failed: ' + e + ' ' + (e.source || ''));
    }
    """
        .formatted(hashes, listener.localAddress().getPort(), body);
  }

  @Test
  void aBrowserTalksByDatagramsAndMessages(@TempDir Path profile) throws Exception {
    assumeThat(HeadlessBrowser.chromium()).as("Chromium").isPresent();
    BrowserCertificates certificates = new BrowserCertificates(InstantSource.system());
    Echo echo = new Echo();
    try (QuicCarrier carrier =
            QuicCarrier.open(QuicOptions.DEFAULT, Identity.create(Instant.now()));
        Listener listener = carrier.listenForBrowsers(ANY, certificates, _ -> echo);
        HeadlessBrowser browser =
            new HeadlessBrowser(
                HeadlessBrowser.chromium().orElseThrow(),
                profile,
                script(
                    listener,
                    certificates,
                    """
                    const session = new WebTransport(url + 'fieldstone', {serverCertificateHashes: hashes});
                    await session.ready;
                    const control = await session.createBidirectionalStream();
                    const writer = control.writable.getWriter();
                    const frame = bytes => writer.write(new Uint8Array([0, 0, 0, bytes.length, ...bytes]));
                    await frame([1, 2, 3]);
                    const reader = control.readable.getReader();
                    let got = [];
                    while (got.length < 7) got.push(...(await reader.read()).value);
                    await report('control ' + got);
                    session.datagrams.incomingHighWaterMark = 4000;
                    const datagrams = session.datagrams.readable.getReader();
                    await session.datagrams.writable.getWriter().write(new Uint8Array([7]));
                    let count = 0;
                    for (; count < %d; count++) {
                      const value = (await datagrams.read()).value;
                      if (value.length !== 1162) { await report('length ' + value.length); break; }
                    }
                    await report('datagrams ' + count);
                    await frame([9]);
                    const end = await session.closed;
                    await report('closed ' + end.closeCode + ' ' + end.reason);
                    """
                        .formatted(DATAGRAMS / 2)))) {
      assertThat(browser.next()).isEqualTo("control 0,0,0,3,1,2,3");
      assertThat(browser.next()).isEqualTo("datagrams " + DATAGRAMS / 2);
      assertThat(browser.next()).isEqualTo("closed 20 enough of this");
      assertThat(echo.closed.get(30, TimeUnit.SECONDS).kind())
          .isEqualTo(CloseReason.Kind.CLOSED_HERE);
    }
  }

  @Test
  void aBrowserLeavesAndOtherPathsAreRefused(@TempDir Path profile) throws Exception {
    assumeThat(HeadlessBrowser.chromium()).as("Chromium").isPresent();
    BrowserCertificates certificates = new BrowserCertificates(InstantSource.system());
    Echo echo = new Echo();
    try (QuicCarrier carrier =
            QuicCarrier.open(QuicOptions.DEFAULT, Identity.create(Instant.now()));
        Listener listener = carrier.listenForBrowsers(ANY, certificates, _ -> echo);
        HeadlessBrowser browser =
            new HeadlessBrowser(
                HeadlessBrowser.chromium().orElseThrow(),
                profile,
                script(
                    listener,
                    certificates,
                    """
                    const options = {serverCertificateHashes: hashes};
                    const wrong = new WebTransport(url + 'other', options);
                    await report(await wrong.ready.then(() => 'accepted', () => 'refused'));
                    const session = new WebTransport(url + 'fieldstone', options);
                    await session.ready;
                    const writer = (await session.createBidirectionalStream()).writable.getWriter();
                    await writer.write(new Uint8Array(4));
                    await new Promise(resolve => setTimeout(resolve, 200));
                    session.close({closeCode: 17, reason: 'seen enough'});
                    await report('left');
                    """))) {
      assertThat(browser.next()).isEqualTo("refused");
      assertThat(browser.next()).isEqualTo("left");
      assertThat(echo.closed.get(30, TimeUnit.SECONDS))
          .isEqualTo(new CloseReason(CloseReason.Kind.CLOSED_BY_PEER, 17, "seen enough"));
    }
  }
}
