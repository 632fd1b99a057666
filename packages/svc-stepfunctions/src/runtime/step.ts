import type { Block, QueryLanguage, State } from '../asl/definition.ts';
import type { JsonObject } from '../asl/json.ts';
import type { CurrentState, Frame } from './frame.ts';
import type { Run } from './run.ts';
import type { Scope } from './scope.ts';

/** A running state. */
export interface Step {
  readonly run: Run;
  readonly frame: Frame;
  readonly current: CurrentState;
  readonly name: string;
  readonly state: State;
  readonly language: QueryLanguage;
  readonly scope: Scope;
  readonly outer: Block;
  readonly variables: Readonly<JsonObject>;
}
