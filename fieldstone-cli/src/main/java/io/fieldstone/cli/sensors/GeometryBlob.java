package io.fieldstone.cli.sensors;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Geometries of GeoPackage: a header and well-known binary (OGC 12-128r19, section 2.1.3). Points
 * and multipoints are read, with or without Z and M; points and lines are written.
 */
final class GeometryBlob {

  private static final int VERSION = 0;
  private static final int LITTLE_ENDIAN = 1;
  private static final int EMPTY = 0x10;
  private static final int EXTENDED = 0x20;

  /** The lengths of envelopes by their codes in the flags. */
  private static final int[] ENVELOPES = {0, 32, 48, 48, 64};

  private static final int POINT = 1;
  private static final int LINE_STRING = 2;
  private static final int MULTI_POINT = 4;

  /** The names of types, from 1. */
  private static final List<String> TYPES =
      List.of(
          "Point",
          "LineString",
          "Polygon",
          "MultiPoint",
          "MultiLineString",
          "MultiPolygon",
          "GeometryCollection",
          "CircularString",
          "CompoundCurve",
          "CurvePolygon",
          "MultiCurve",
          "MultiSurface",
          "Curve",
          "Surface");

  /** A type is followed by this times 0, 1 (Z), 2 (M) or 3 (both). */
  private static final int DIMENSIONS = 1000;

  private static final int HEADER_BYTES = 8;
  private static final int WKB_HEADER_BYTES = 5;
  private static final int POINT_BYTES = 2 * Double.BYTES;

  private GeometryBlob() {}

  /** A point, in the order of the file: x or longitude first. */
  record Point(double x, double y) {}

  /**
   * The points of a geometry.
   *
   * @param points none if the geometry is empty, or has another type
   * @param otherType the name of that type; empty for points
   */
  record Points(List<Point> points, Optional<String> otherType) {}

  /**
   * Reads a geometry.
   *
   * @throws IllegalArgumentException if it is malformed; the message says what
   */
  static Points parse(byte[] blob) {
    ByteBuffer bytes = ByteBuffer.wrap(blob);
    try {
      return parse(bytes);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException(
          "a geometry that ends after %d bytes".formatted(blob.length), e);
    }
  }

  private static Points parse(ByteBuffer bytes) {
    if (bytes.get() != 'G' || bytes.get() != 'P') {
      throw new IllegalArgumentException("a geometry without the header of GeoPackage");
    }
    int version = bytes.get();
    int flags = bytes.get();
    if (version != VERSION || (flags & EXTENDED) != 0) {
      throw new IllegalArgumentException("a geometry of another version or an extension");
    }
    int envelope = flags >> 1 & 7;
    if (envelope >= ENVELOPES.length) {
      throw new IllegalArgumentException("a geometry with envelope %d".formatted(envelope));
    }
    skip(bytes, Integer.BYTES + ENVELOPES[envelope]);
    int code = type(bytes);
    List<Point> points = new ArrayList<>();
    int type = code % DIMENSIONS;
    if (type == POINT) {
      addPoint(bytes, code, points);
    } else if (type == MULTI_POINT) {
      int count = bytes.getInt();
      if (count < 0 || count > bytes.remaining() / (WKB_HEADER_BYTES + POINT_BYTES)) {
        throw new IllegalArgumentException(
            "a geometry of %d points in %d bytes"
                .formatted(Integer.toUnsignedLong(count), bytes.remaining()));
      }
      for (int i = 0; i < count; i++) {
        int codeOfPoint = type(bytes);
        if (codeOfPoint % DIMENSIONS != POINT) {
          throw new IllegalArgumentException("a MultiPoint with another geometry than points");
        }
        addPoint(bytes, codeOfPoint, points);
      }
    } else {
      return new Points(List.of(), Optional.of(TYPES.get(type - 1)));
    }
    if (bytes.hasRemaining()) {
      throw new IllegalArgumentException("%d bytes after a geometry".formatted(bytes.remaining()));
    }
    return new Points((flags & EMPTY) != 0 ? List.of() : points, Optional.empty());
  }

  /** Reads the order of bytes and the type. */
  private static int type(ByteBuffer bytes) {
    int order = bytes.get();
    if (order != 0 && order != 1) {
      throw new IllegalArgumentException("a geometry with byte order %d".formatted(order));
    }
    bytes.order(order == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    int code = bytes.getInt();
    int type = code % DIMENSIONS;
    if (code < 0 || code / DIMENSIONS > 3 || type < 1 || type > TYPES.size()) {
      throw new IllegalArgumentException(
          "a geometry of unknown type %d".formatted(Integer.toUnsignedLong(code)));
    }
    return code;
  }

  /** Adds a point, unless it is empty: NaN. */
  private static void addPoint(ByteBuffer bytes, int code, List<Point> points) {
    double x = bytes.getDouble();
    double y = bytes.getDouble();
    int dimensions = code / DIMENSIONS;
    skip(bytes, dimensions == 0 ? 0 : dimensions == 3 ? 2 * Double.BYTES : Double.BYTES);
    if (!Double.isNaN(x) || !Double.isNaN(y)) {
      points.add(new Point(x, y));
    }
  }

  private static void skip(ByteBuffer bytes, int length) {
    if (length > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    bytes.position(bytes.position() + length);
  }

  /** Returns a point. */
  static byte[] point(int system, Point point) {
    return header(system, WKB_HEADER_BYTES + POINT_BYTES, POINT)
        .putDouble(point.x())
        .putDouble(point.y())
        .array();
  }

  /** Returns a line between two points. */
  static byte[] line(int system, Point from, Point to) {
    return header(system, WKB_HEADER_BYTES + Integer.BYTES + 2 * POINT_BYTES, LINE_STRING)
        .putInt(2)
        .putDouble(from.x())
        .putDouble(from.y())
        .putDouble(to.x())
        .putDouble(to.y())
        .array();
  }

  private static ByteBuffer header(int system, int bytes, int type) {
    return ByteBuffer.allocate(HEADER_BYTES + bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) 'G')
        .put((byte) 'P')
        .put((byte) VERSION)
        .put((byte) LITTLE_ENDIAN)
        .putInt(system)
        .put((byte) LITTLE_ENDIAN)
        .putInt(type);
  }
}
