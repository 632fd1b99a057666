import type { Obj } from './values.ts';

/** A function as its events and other parts see it. */
export interface FunctionTarget {
  readonly id: string;
  readonly properties: Obj;
  /** Attributes that everything made for the function has: its condition. */
  readonly attributes: Obj;
  /** The function, or its alias. */
  readonly name: Obj;
  readonly arn: Obj;
  /** Policies that events bring to the function's role. */
  readonly managed: unknown[];
  readonly inline: unknown[];
  /** Tags of what is made for it, where tags are passed on. */
  readonly propagated: Obj | undefined;
}

/** An event of a function. */
export interface Event {
  /** Id that everything made for it begins with. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly properties: Obj;
}
