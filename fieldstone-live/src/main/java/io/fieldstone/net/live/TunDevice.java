package io.fieldstone.net.live;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A TUN device of Linux: a network interface whose packets this process reads and writes. It
 * vanishes when it is closed. Opening one needs the capability CAP_NET_ADMIN, or a device that was
 * made for this user ({@code ip tuntap add dev fst0 mode tun user NAME}).
 *
 * <p>One thread may read while another writes. Source: the kernel's documentation, {@code
 * networking/tuntap.rst}; netdevice(7).
 */
public final class TunDevice implements AutoCloseable {

  /** The least MTU, which IPv6 needs (RFC 8200, Sec. 5). */
  public static final int MIN_MTU = 1280;

  private static final Path CLONE = Path.of("/dev/net/tun");

  private static final int MAX_PACKET_BYTES = 65_535;
  private static final int NAME_BYTES = 16;
  private static final int REQUEST_BYTES = 40;
  private static final int O_RDWR_CLOEXEC = 2 | 0x80000;
  private static final long TUNSETIFF = 0x400454caL;
  private static final short IFF_TUN_NO_PI = 0x1001;
  private static final long SIOCGIFFLAGS = 0x8913;
  private static final long SIOCSIFFLAGS = 0x8914;
  private static final long SIOCSIFADDR = 0x8916;
  private static final long SIOCSIFNETMASK = 0x891c;
  private static final long SIOCSIFMTU = 0x8922;
  private static final short IFF_UP_RUNNING = 0x41;
  private static final long SIOCGIFINDEX = 0x8933;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int IPV4_BYTES = 4;
  private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
  private static final short POLLIN = 1;
  private static final int POLL_MILLIS = 200;
  private static final int EINTR = 4;
  private static final int EAGAIN = 11;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup C = LINKER.defaultLookup();
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final long ERRNO =
      STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  /** The functions of the C library; made when the first device is opened. */
  private static final class Calls {
    static final MethodHandle OPEN =
        handle("open", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT), 2);
    static final MethodHandle IOCTL =
        handle("ioctl", FunctionDescriptor.of(INT, INT, LONG, ValueLayout.ADDRESS), 2);
    static final MethodHandle SOCKET =
        handle("socket", FunctionDescriptor.of(INT, INT, INT, INT), -1);
    static final MethodHandle CLOSE = handle("close", FunctionDescriptor.of(INT, INT), -1);
    static final MethodHandle READ =
        handle("read", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG), -1);
    static final MethodHandle WRITE =
        handle("write", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG), -1);
    static final MethodHandle POLL =
        handle("poll", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, LONG, INT), -1);

    private static MethodHandle handle(String name, FunctionDescriptor type, int variadic) {
      Linker.Option errno = Linker.Option.captureCallState("errno");
      MemorySegment address = C.findOrThrow(name);
      return variadic < 0
          ? LINKER.downcallHandle(address, type, errno)
          : LINKER.downcallHandle(address, type, errno, Linker.Option.firstVariadicArg(variadic));
    }
  }

  /** Calls a function of the C library. */
  private interface Call {
    long run(MemorySegment state) throws Throwable;
  }

  private final String name;
  private final int device;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment readBuffer = arena.allocate(MAX_PACKET_BYTES);
  private final MemorySegment writeBuffer = arena.allocate(MAX_PACKET_BYTES);
  private final MemorySegment poll = arena.allocate(8, 4);
  private final MemorySegment readState = arena.allocate(STATE);
  private final MemorySegment writeState = arena.allocate(STATE);
  private volatile boolean isClosed;
  private int mtu;

  private TunDevice(String name, int device) {
    this.name = name;
    this.device = device;
    poll.set(INT, 0, device);
    poll.set(ValueLayout.JAVA_SHORT, 4, POLLIN);
  }

  /**
   * Opens a device, creates it if there is none of this name, and brings it up.
   *
   * @param name 1 to 15 characters, such as {@code fst0}
   * @param addresses the addresses of this host in the tunnel, such as {@code 10.9.0.1/24} and
   *     {@code fd09::1/64}; none if it has them already
   * @throws IOException if the system has no TUN devices, or does not allow one; the message names
   *     the device and what to do
   */
  public static TunDevice open(String name, List<String> addresses) throws IOException {
    if (!name.matches("[A-Za-z0-9_.-]{1,15}")) {
      throw new IllegalArgumentException(
          "'%s' is not a name of a device: want 1 to 15 letters and digits".formatted(name));
    }
    List<Address> parsed = addresses.stream().map(Address::parse).toList();
    if (!Files.exists(CLONE)) {
      throw new IOException("this system has no TUN devices (" + CLONE + "): " + name);
    }
    int device;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom(CLONE.toString());
      device =
          (int)
              require(
                  name,
                  "open " + CLONE,
                  arena.allocate(STATE),
                  state -> (int) Calls.OPEN.invokeExact(state, path, O_RDWR_CLOEXEC));
    }
    TunDevice opened = new TunDevice(name, device);
    try {
      opened.request(device, TUNSETIFF, "attach", 0, IFF_TUN_NO_PI);
      opened.mtu(MIN_MTU);
      opened.up();
      for (Address address : parsed) {
        opened.add(address);
      }
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private static long require(String name, String what, MemorySegment state, Call call)
      throws IOException {
    long result;
    try {
      result = call.run(state);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    if (result < 0) {
      int errno = state.get(INT, ERRNO);
      String hint =
          errno == 1 || errno == 13
              ? "not permitted; run as root, or make the device for this user"
                  + " ('ip tuntap add dev %s mode tun user NAME')".formatted(name)
              : "error %d of the system".formatted(errno);
      throw new IOException("cannot %s: %s: TUN device %s".formatted(what, hint, name));
    }
    return result;
  }

  /** Makes a request about the device, with 16 bits of data. */
  private void request(int descriptor, long request, String what, int at, short value)
      throws IOException {
    try (Arena own = Arena.ofConfined()) {
      MemorySegment data = named(own);
      data.set(ValueLayout.JAVA_SHORT, NAME_BYTES + at, value);
      ioctl(descriptor, request, what, data, own.allocate(STATE));
    }
  }

  private MemorySegment named(Arena own) {
    MemorySegment data = own.allocate(REQUEST_BYTES, 8);
    MemorySegment.copy(own.allocateFrom(name), 0, data, 0, name.length());
    return data;
  }

  private void ioctl(
      int descriptor, long request, String what, MemorySegment data, MemorySegment state)
      throws IOException {
    long _ =
        require(
            name,
            what,
            state,
            captured -> (int) Calls.IOCTL.invokeExact(captured, descriptor, request, data));
  }

  /** Makes requests through a socket, as netdevice(7) wants it. */
  private void configure(
      String what, int family, List<Long> requests, MemorySegment data, Arena own)
      throws IOException {
    MemorySegment state = own.allocate(STATE);
    int socket =
        (int)
            require(
                name,
                "open a socket",
                state,
                captured ->
                    (int) Calls.SOCKET.invokeExact(captured, family, SOCK_DGRAM_CLOEXEC, 0));
    try {
      for (long request : requests) {
        ioctl(socket, request, what, data, state);
        if (request == SIOCGIFFLAGS) {
          short flags = data.get(ValueLayout.JAVA_SHORT, NAME_BYTES);
          data.set(ValueLayout.JAVA_SHORT, NAME_BYTES, (short) (flags | IFF_UP_RUNNING));
        }
      }
    } finally {
      closeDescriptor(socket, state);
    }
  }

  private void up() throws IOException {
    try (Arena own = Arena.ofConfined()) {
      configure("bring up", AF_INET, List.of(SIOCGIFFLAGS, SIOCSIFFLAGS), named(own), own);
    }
  }

  /** An address and the bits of its network. */
  private record Address(InetAddress host, int prefix) {
    static Address parse(String text) {
      int slash = text.indexOf('/');
      String host = slash < 0 ? "" : text.substring(0, slash);
      String bits = text.substring(slash + 1);
      // Other texts could be names of hosts, or have a zone.
      if (host.matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*") && bits.matches("[0-9]{1,3}")) {
        try {
          InetAddress address = InetAddress.ofLiteral(host);
          int prefix = Integer.parseInt(bits);
          if (prefix <= Byte.SIZE * address.getAddress().length) {
            return new Address(address, prefix);
          }
        } catch (IllegalArgumentException e) {
          // The message below is clearer.
        }
      }
      throw new IllegalArgumentException(
          "'%s' is not an address such as 10.9.0.1/24 or fd09::1/64".formatted(text));
    }
  }

  private void add(Address address) throws IOException {
    byte[] bytes = address.host.getAddress();
    if (bytes.length == IPV4_BYTES) {
      int mask = address.prefix == 0 ? 0 : -1 << 32 - address.prefix;
      byte[] maskBytes = {
        (byte) (mask >> 24), (byte) (mask >> 16), (byte) (mask >> 8), (byte) mask
      };
      setAddress("set the address of", SIOCSIFADDR, bytes);
      setAddress("set the mask of", SIOCSIFNETMASK, maskBytes);
    } else {
      addIpv6(bytes, address.prefix);
    }
  }

  /** Adds an address of IPv6, by the request of ipv6(7): address, prefix, index of the device. */
  private void addIpv6(byte[] address, int prefix) throws IOException {
    try (Arena own = Arena.ofConfined()) {
      MemorySegment index = named(own);
      configure("find", AF_INET, List.of(SIOCGIFINDEX), index, own);
      MemorySegment data = own.allocate(address.length + 2 * Integer.BYTES, Integer.BYTES);
      MemorySegment.copy(MemorySegment.ofArray(address), 0, data, 0, address.length);
      data.set(INT, address.length, prefix);
      data.set(INT, address.length + Integer.BYTES, index.get(INT, NAME_BYTES));
      configure("set the IPv6 address of", AF_INET6, List.of(SIOCSIFADDR), data, own);
    }
  }

  private void setAddress(String what, long request, byte[] bytes) throws IOException {
    try (Arena own = Arena.ofConfined()) {
      MemorySegment data = named(own);
      data.set(ValueLayout.JAVA_SHORT, NAME_BYTES, (short) AF_INET);
      MemorySegment.copy(MemorySegment.ofArray(bytes), 0, data, NAME_BYTES + 4, bytes.length);
      configure(what, AF_INET, List.of(request), data, own);
    }
  }

  /**
   * Sets the largest packet of the device.
   *
   * @param bytes at least {@value #MIN_MTU}
   */
  void mtu(int bytes) throws IOException {
    if (bytes == mtu) {
      return;
    }
    try (Arena own = Arena.ofConfined()) {
      MemorySegment data = named(own);
      data.set(INT, NAME_BYTES, Math.max(bytes, MIN_MTU));
      configure("set the MTU of", AF_INET, List.of(SIOCSIFMTU), data, own);
    }
    mtu = bytes;
  }

  /** Returns the name of the device. */
  public String name() {
    return name;
  }

  /**
   * Waits for a packet of this host.
   *
   * @return the packet, valid until the next call; empty once the device is closed
   */
  MemorySegment read() throws IOException {
    while (!isClosed) {
      try {
        int ready = (int) Calls.POLL.invokeExact(readState, poll, 1L, POLL_MILLIS);
        long bytes =
            ready <= 0 || isClosed
                ? 0
                : (long)
                    Calls.READ.invokeExact(readState, device, readBuffer, (long) MAX_PACKET_BYTES);
        if (bytes > 0) {
          return readBuffer.asSlice(0, bytes);
        }
        int errno = readState.get(INT, ERRNO);
        if (bytes < 0 && errno != EINTR && errno != EAGAIN) {
          throw new IOException("cannot read, error %d: TUN device %s".formatted(errno, name));
        }
      } catch (IOException | RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
    return MemorySegment.NULL;
  }

  /** Hands a packet to this host; returns false if the kernel does not take it. */
  boolean write(MemorySegment packet) {
    if (isClosed) {
      return false;
    }
    long length = Math.min(packet.byteSize(), MAX_PACKET_BYTES);
    MemorySegment.copy(packet, 0, writeBuffer, 0, length);
    try {
      return (long) Calls.WRITE.invokeExact(writeState, device, writeBuffer, length) == length;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void closeDescriptor(int descriptor, MemorySegment state) {
    try {
      int _ = (int) Calls.CLOSE.invokeExact(state, descriptor);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Removes the device, unless it was made before. A reader ends within a second. Idempotent. */
  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      try (Arena own = Arena.ofConfined()) {
        closeDescriptor(device, own.allocate(STATE));
      }
    }
  }
}
