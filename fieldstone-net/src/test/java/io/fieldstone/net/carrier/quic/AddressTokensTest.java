package io.fieldstone.net.carrier.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class AddressTokensTest {
  private static final InetSocketAddress CLIENT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 4242);

  private long now = 1_000;
  private final AddressTokens tokens = new AddressTokens(() -> now, 1);
  private final ByteBuf id = Unpooled.copiedBuffer(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});

  @Test
  void acceptsItsTokenAndFindsTheConnectionId() {
    ByteBuf token = token();
    int offset = tokens.validateToken(token.slice(), CLIENT);
    assertThat(token.slice(offset, token.readableBytes() - offset)).isEqualTo(id);
    assertThat(token.readableBytes()).isLessThanOrEqualTo(tokens.maxTokenLength());
  }

  @Test
  void refusesOtherAddressesAndPorts() throws Exception {
    InetAddress other = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
    assertThat(tokens.validateToken(token(), new InetSocketAddress(other, 4242))).isEqualTo(-1);
    assertThat(tokens.validateToken(token(), new InetSocketAddress(CLIENT.getAddress(), 4243)))
        .isEqualTo(-1);
  }

  @Test
  void refusesEveryChangedBitAndLength() {
    ByteBuf token = token();
    for (int bit = 0; bit < 8 * token.readableBytes(); bit++) {
      ByteBuf changed = token.copy();
      changed.setByte(bit / 8, changed.getByte(bit / 8) ^ 1 << bit % 8);
      assertThat(tokens.validateToken(changed, CLIENT)).as("bit %d", bit).isEqualTo(-1);
    }
    for (int bytes = 0; bytes < token.readableBytes(); bytes++) {
      assertThat(tokens.validateToken(token.slice(0, bytes), CLIENT)).isEqualTo(-1);
    }
    assertThat(tokens.validateToken(Unpooled.wrappedBuffer(new byte[100]), CLIENT)).isEqualTo(-1);
  }

  @Test
  void refusesOldTokensAndThoseOfOtherKeys() {
    ByteBuf token = token();
    assertThat(new AddressTokens(() -> now, 1).validateToken(token, CLIENT)).isEqualTo(-1);
    now += 10_000_000_000L;
    assertThat(tokens.validateToken(token, CLIENT)).isPositive();
    now++;
    assertThat(tokens.validateToken(token, CLIENT)).isEqualTo(-1);
  }

  @Test
  void asksForATokenOnlyIfManyConnect() {
    assertThat(freeClients()).isEqualTo(AddressTokens.FREE_CLIENTS);
    now += 1_000_000_000L;
    assertThat(freeClients()).isEqualTo(AddressTokens.FREE_CLIENTS_PER_SECOND);
    now += 3_600_000_000_000L;
    assertThat(freeClients()).isEqualTo(AddressTokens.FREE_CLIENTS);
  }

  @Test
  void theSocketsOfAListenerShareTheClientsWithoutToken() {
    AddressTokens quarter = new AddressTokens(() -> now, 4);
    int clients = 0;
    while (!quarter.writeToken(Unpooled.buffer(), id.slice(), CLIENT)) {
      clients++;
    }
    assertThat(clients).isEqualTo(AddressTokens.FREE_CLIENTS / 4);
  }

  /** Returns the number of clients that connect before one is asked for a token. */
  private int freeClients() {
    int clients = 0;
    while (!tokens.writeToken(Unpooled.buffer(), id.slice(), CLIENT)) {
      clients++;
    }
    return clients;
  }

  private ByteBuf token() {
    freeClients();
    ByteBuf token = Unpooled.buffer();
    assertThat(tokens.writeToken(token, id.slice(), CLIENT)).isTrue();
    return token;
  }
}
