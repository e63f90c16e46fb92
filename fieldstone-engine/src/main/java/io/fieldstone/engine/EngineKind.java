package io.fieldstone.engine;

/** The hardware that an engine runs on. */
public enum EngineKind {
  /** The CPU cores of this machine. */
  CPU,
  /** One GPU. */
  GPU,
  /** Several engines that share each job. */
  COMBINED
}
