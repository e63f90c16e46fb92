package io.fieldstone.engine.terrain;

/** The port that finds which places see each other over terrain. Thread-safe. */
public interface LinesOfSight {

  /**
   * Loads a grid of heights for any number of paths; the caller closes the survey before the
   * engine.
   */
  SightSurvey survey(HeightGrid grid);
}
