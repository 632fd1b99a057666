import type { Json, JsonObject } from '../../documents/content.ts';
import type { StepContext } from '../types.ts';

/** What an action has come to. */
export interface ActionResult {
  /** Outputs that the action always has. */
  readonly outputs: JsonObject;
  /** What the outputs that a runbook declares are selected from. */
  readonly payload?: Json | undefined;
  /** The step to go to; empty for the end of the execution. */
  readonly next?: string | undefined;
}

/** What a step does. */
export interface Action {
  /** Seconds that it may take unless the step says otherwise; undefined for no limit. */
  readonly timeout?: number;
  /** What of the inputs is resolved before the action begins; all by default. */
  raw?(inputs: JsonObject): JsonObject;
  /** @throws StepFailure, Ended */
  run(step: StepContext): Promise<ActionResult>;
}
