package io.fieldstone.rlnc.backup;

/**
 * The result of a repair.
 *
 * @param before the state before
 * @param after the state after, verified again; the same as before if nothing was damaged
 * @param seconds the duration
 */
public record RepairResult(SetReport before, SetReport after, double seconds) {}
