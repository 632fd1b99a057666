import type { Obj } from './values.ts';

/** A function as events and other parts use it. */
export interface FunctionTarget {
  readonly id: string;
  readonly properties: Obj;
  /** Attributes of everything created for the function: its condition. */
  readonly attributes: Obj;
  /** The function, or its alias. */
  readonly name: Obj;
  readonly arn: Obj;
  /** Policies that events add to the function's role. */
  readonly managed: unknown[];
  readonly inline: unknown[];
  /** Tags of generated resources, if tags are propagated. */
  readonly propagated: Obj | undefined;
}

/** An event of a function. */
export interface Event {
  /** Prefix of generated ids. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly properties: Obj;
}
