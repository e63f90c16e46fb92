package io.fieldstone.sort;

/**
 * The division of the records of a file into runs that fit a memory limit. One run is sorted in
 * memory. Of several, each is sorted and written to a scratch file, and these are merged: by
 * sorting ranges of keys again ({@link SortPlan}), or by comparing records ({@link RankPlan}).
 */
sealed interface RunPlan permits SortPlan, RankPlan {

  /** Returns the number of runs, at least 1. */
  int runs();
}
