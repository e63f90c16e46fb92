package io.fieldstone.bench.stars;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.StarBatch;
import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarSearch;

/** What is asked of a search for 3-stars. */
enum StarWork {

  /** How many there are. */
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

  /** All of them, in this machine's memory, in the form that the method has: the paper's report. */
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
  };

  private final String done;

  StarWork(String done) {
    this.done = done;
  }

  /** What becomes of the stars, in a word. */
  String done() {
    return done;
  }

  /** Works on the stars of some lowest points; a count, or bytes. */
  abstract long run(StarSearch search, int first, int points);

  /** Works on all stars of a field, by a search of its own. */
  void run(Engine engine, StarField field, String method) {
    try (StarSearch search = engine.stars().search(field, method)) {
      run(search, 0, field.points());
    }
  }

  /** How many stars it comes upon. */
  abstract long stars(StarSearch search);
}
