import type { Json, JsonObject } from '../../documents/content.ts';
import type { StepContext } from '../types.ts';

/** Result of an action. */
export interface ActionResult {
  /** Outputs that every run of the action has. */
  readonly outputs: JsonObject;
  /** Value from which the outputs declared in the runbook are selected. */
  readonly payload?: Json | undefined;
  /** Name of the next step; empty to end the execution. */
  readonly next?: string | undefined;
}

/** An automation action. */
export interface Action {
  /** Default timeout in seconds; undefined for no limit. */
  readonly timeout?: number;
  /** Selects the inputs that are resolved before the action starts; all by default. */
  raw?(inputs: JsonObject): JsonObject;
  /** @throws StepFailure, Ended */
  run(step: StepContext): Promise<ActionResult>;
}
