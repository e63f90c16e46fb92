package io.fieldstone.relays.terrain;

import io.fieldstone.engine.terrain.HeightGrid;
import io.fieldstone.relays.Position;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Finds high places: the highest point of each square of a lattice near some places. */
final class Candidates {

  private static final double METRES_PER_DEGREE = 111_195;

  private final Elevation elevation;
  private final HeightGrid grid;
  private final int squareRows;
  private final int squareColumns;
  private final int rows;
  private final int columns;
  private final double rowMetres;
  private final double columnMetres;

  /** Divides a grid into squares of a given side in metres. */
  Candidates(Elevation elevation, double side) {
    this.elevation = elevation;
    this.grid = elevation.grid();
    this.rowMetres = elevation.rowStep() * METRES_PER_DEGREE;
    double middle = Math.toRadians(elevation.latitude(grid.rows() / 2.0));
    this.columnMetres =
        elevation.columnStep() * METRES_PER_DEGREE * Math.max(0.01, Math.cos(middle));
    this.squareRows = side(side / rowMetres);
    this.squareColumns = side(side / columnMetres);
    this.rows = Math.ceilDiv(grid.rows(), squareRows);
    this.columns = Math.ceilDiv(grid.columns(), squareColumns);
  }

  private static int side(double points) {
    return (int) Math.clamp(points, 1, HeightGrid.MAX_SIDE);
  }

  /** Returns whether squares within a distance of any place are all squares. */
  boolean isAll(double distance) {
    return distance > Math.hypot(grid.rows() * rowMetres, grid.columns() * columnMetres);
  }

  /** Returns the highest points of squares within a distance of some places. */
  List<Position> near(List<Position> places, double distance) {
    int rowsAround = (int) Math.min(rows, Math.ceil(distance / rowMetres / squareRows));
    int columnsAround = (int) Math.min(columns, Math.ceil(distance / columnMetres / squareColumns));
    BitSet squares = new BitSet();
    BitSet centres = new BitSet();
    for (Position place : places) {
      int row = (int) Math.floor(elevation.row(place.latitude()) / squareRows);
      int column = (int) Math.floor(elevation.column(place.longitude()) / squareColumns);
      int centre = Math.clamp(row, 0, rows - 1) * columns + Math.clamp(column, 0, columns - 1);
      if (centres.get(centre)) {
        continue;
      }
      centres.set(centre);
      for (int r = Math.max(0, row - rowsAround); r <= Math.min(rows - 1, row + rowsAround); r++) {
        int first = Math.max(0, column - columnsAround);
        int last = Math.min(columns - 1, column + columnsAround);
        if (first <= last) {
          squares.set(r * columns + first, r * columns + last + 1);
        }
      }
    }
    List<Position> found = new ArrayList<>();
    squares.stream().forEach(square -> addHighest(square / columns, square % columns, found));
    return found;
  }

  /** Adds the highest point of a square; of several, the nearest to its middle. */
  private void addHighest(int squareRow, int squareColumn, List<Position> found) {
    int top = squareRow * squareRows;
    int left = squareColumn * squareColumns;
    int bottom = Math.min(grid.rows(), top + squareRows);
    int right = Math.min(grid.columns(), left + squareColumns);
    float best = Float.NEGATIVE_INFINITY;
    double nearest = 0;
    int bestRow = 0;
    int bestColumn = 0;
    for (int row = top; row < bottom; row++) {
      for (int column = left; column < right; column++) {
        float height = grid.height(row, column);
        if (height < HeightGrid.VOID && height >= best) {
          double distance =
              Math.hypot(row - (top + bottom - 1) / 2.0, column - (left + right - 1) / 2.0);
          if (height > best || distance < nearest) {
            best = height;
            nearest = distance;
            bestRow = row;
            bestColumn = column;
          }
        }
      }
    }
    if (best > Float.NEGATIVE_INFINITY) {
      found.add(new Position(elevation.latitude(bestRow), elevation.longitude(bestColumn)));
    }
  }
}
