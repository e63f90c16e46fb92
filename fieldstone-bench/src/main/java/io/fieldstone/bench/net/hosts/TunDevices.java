package io.fieldstone.bench.net.hosts;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * TUN devices of Linux: each hands the IP packets that its network namespace sends to this process,
 * and takes packets that the namespace shall receive. For one thread.
 */
final class TunDevices implements AutoCloseable {

  /** The length of the longest packet. */
  static final int MAX_PACKET_BYTES = 2048;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private static final int O_RDWR = 2;
  private static final int O_NONBLOCK = 0x800;
  private static final short POLLIN = 1;
  private static final int EAGAIN = 11;
  private static final int EINTR = 4;

  /** {@code _IOW('T', 202, int)}. */
  private static final long TUNSETIFF = 0x400454caL;

  /** {@code IFF_TUN | IFF_NO_PI}: IP packets without a header in front. */
  private static final short TUN_WITHOUT_HEADER = 0x1001;

  /** The size of {@code struct ifreq}, and the offset of its flags. */
  private static final int REQUEST_BYTES = 40;

  private static final int FLAGS_OFFSET = 16;
  private static final int POLL_BYTES = 8;
  private static final int POLL_EVENTS_OFFSET = 4;
  private static final int POLL_RESULT_OFFSET = 6;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private final Arena arena = Arena.ofConfined();
  private final MethodHandle open =
      call("open", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT), 2);
  private final MethodHandle ioctl =
      call("ioctl", FunctionDescriptor.of(INT, INT, LONG, ValueLayout.ADDRESS), 2);
  private final MethodHandle read =
      call("read", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG), -1);
  private final MethodHandle write =
      call("write", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG), -1);
  private final MethodHandle close = call("close", FunctionDescriptor.of(INT, INT), -1);
  private final MethodHandle ppoll =
      call(
          "ppoll",
          FunctionDescriptor.of(
              INT, ValueLayout.ADDRESS, LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
          -1);
  private final MemorySegment state = arena.allocate(STATE);
  private final MemorySegment timeout = arena.allocate(2 * LONG.byteSize(), 8);
  private final List<Integer> descriptors = new ArrayList<>();
  private MemorySegment polls = MemorySegment.NULL;

  private static MethodHandle call(String name, FunctionDescriptor type, int firstVariadic) {
    Linker linker = Linker.nativeLinker();
    Linker.Option state = Linker.Option.captureCallState("errno");
    MemorySegment address = linker.defaultLookup().findOrThrow(name);
    return firstVariadic < 0
        ? linker.downcallHandle(address, type, state)
        : linker.downcallHandle(
            address, type, state, Linker.Option.firstVariadicArg(firstVariadic));
  }

  /**
   * Creates a device, which vanishes when this object is closed.
   *
   * @return its index, from 0
   * @throws IOException if the kernel has no TUN devices or refuses one
   */
  int add(String name) throws IOException {
    try {
      int descriptor =
          (int) open.invokeExact(state, arena.allocateFrom("/dev/net/tun"), O_RDWR | O_NONBLOCK);
      check(descriptor, "open /dev/net/tun");
      descriptors.add(descriptor);
      MemorySegment request = arena.allocate(REQUEST_BYTES, 8);
      request.setString(0, name, StandardCharsets.US_ASCII);
      request.set(ValueLayout.JAVA_SHORT, FLAGS_OFFSET, TUN_WITHOUT_HEADER);
      check((int) ioctl.invokeExact(state, descriptor, TUNSETIFF, request), "create " + name);
    } catch (Throwable e) {
      throw rethrown(e);
    }
    polls = arena.allocate((long) POLL_BYTES * descriptors.size(), 8);
    for (int i = 0; i < descriptors.size(); i++) {
      polls.set(INT, (long) i * POLL_BYTES, descriptors.get(i));
      polls.set(ValueLayout.JAVA_SHORT, (long) i * POLL_BYTES + POLL_EVENTS_OFFSET, POLLIN);
    }
    return descriptors.size() - 1;
  }

  /** Waits until a device has a packet, or some time has passed. */
  void await(long nanos) throws IOException {
    timeout.setAtIndex(LONG, 0, nanos / NANOS_PER_SECOND);
    timeout.setAtIndex(LONG, 1, nanos % NANOS_PER_SECOND);
    try {
      int ready =
          (int)
              ppoll.invokeExact(
                  state, polls, (long) descriptors.size(), timeout, MemorySegment.NULL);
      if (ready < 0 && errno() != EINTR) {
        check(ready, "ppoll");
      }
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** Tests whether a device had a packet when {@link #await} returned. */
  boolean hasPacket(int device) {
    return polls.get(ValueLayout.JAVA_SHORT, (long) device * POLL_BYTES + POLL_RESULT_OFFSET) != 0;
  }

  /** Reads a packet; returns its length, or 0 if there is none. */
  int read(int device, MemorySegment packet) throws IOException {
    try {
      long length =
          (long) read.invokeExact(state, (int) descriptors.get(device), packet, packet.byteSize());
      if (length < 0 && errno() != EAGAIN) {
        check(length, "read from device " + device);
      }
      return (int) Math.max(length, 0);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** Gives a packet to the namespace of a device; a device that is down drops it. */
  void write(int device, MemorySegment packet, int bytes) throws IOException {
    try {
      long ignored =
          (long) write.invokeExact(state, (int) descriptors.get(device), packet, (long) bytes);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  @Override
  public void close() {
    for (int descriptor : descriptors) {
      try {
        int ignored = (int) close.invokeExact(state, descriptor);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
    arena.close();
  }

  private int errno() {
    return (int) ERRNO.get(state, 0L);
  }

  private void check(long result, String action) throws IOException {
    if (result < 0) {
      throw new IOException("cannot %s: error %d".formatted(action, errno()));
    }
  }

  private static IOException rethrown(Throwable e) {
    return e instanceof IOException known ? known : new IOException(e);
  }
}
