package io.fieldstone.bench.stars;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarBatch;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.StarVisitor;

/** The tasks of a search for 3-stars. */
enum StarWork {

  /** Counts them. */
  COUNT("counted") {
    @Override
    long run(StarSearch search, int first, int points) {
      return search.count(first, points);
    }

    @Override
    long stars(StarSearch search) {
      return search.count();
    }
  },

  /** Lists them in main memory, in the form of the method: the report of the paper. */
  LIST("listed") {
    @Override
    long run(StarSearch search, int first, int points) {
      long[] bytes = {0};
      search.enumerate(first, points, batch -> bytes[0] += batch.byteSize());
      return bytes[0];
    }

    @Override
    long stars(StarSearch search) {
      long[] stars = {0};
      search.<RuntimeException>enumerate((StarBatch batch) -> stars[0] += batch.stars());
      return stars[0];
    }
  },

  /** Lists them and decodes each to three indices in main memory: the DECODE of the paper. */
  DECODE("decoded") {
    @Override
    long run(StarSearch search, int first, int points) {
      Indices indices = new Indices();
      search.enumerate(first, points, batch -> batch.forEach(indices));
      return indices.stars;
    }

    @Override
    long stars(StarSearch search) {
      return run(search, 0, search.field().points());
    }
  };

  /** Memory that receives the indices of stars, the earliest of which are overwritten. */
  private static final class Indices implements StarVisitor {

    private static final int STARS = 1 << 16;

    private final int[] memory = new int[3 * STARS];
    private long stars;

    @Override
    public void star(int a, int b, int c) {
      int at = 3 * (int) (stars++ % STARS);
      memory[at] = a;
      memory[at + 1] = b;
      memory[at + 2] = c;
    }
  }

  private final String done;

  StarWork(String done) {
    this.done = done;
  }

  /** Returns the past participle of the task. */
  String done() {
    return done;
  }

  /** Runs the task for the stars of some lowest points; returns a count or bytes. */
  abstract long run(StarSearch search, int first, int points);

  /** Runs the task for all stars of a field, by a new search. */
  void run(Engine engine, StarField field, String method) {
    try (StarSearch search = engine.stars().search(field, method)) {
      run(search, 0, field.points());
    }
  }

  /** Runs the task for all stars; returns their number. */
  abstract long stars(StarSearch search);
}
