package io.fieldstone.spark.sort;

import java.util.List;

/**
 * The result of a sort.
 *
 * @param records the number of records
 * @param bytes their bytes
 * @param written the files in the order of their records
 */
public record SortReport(long records, long bytes, List<String> written) {}
