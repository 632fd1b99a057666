import type { Node } from 'typescript/unstable/ast';

/** Stands in a text for what is only known at run time. */
export const HOLE = '\uFFFC';

/** What an expression may come to. */
export type Value =
  /** A text, with holes in it. */
  | { readonly kind: 'text'; readonly text: string; readonly at: Node }
  /** An object, array, function or class that the sources write down. */
  | { readonly kind: 'node'; readonly node: Node; readonly scope: Scope | undefined }
  /** Elements that were made of others. */
  | { readonly kind: 'list'; readonly values: readonly Value[] }
  /** What the sources do not tell. `relayed` where it is the message of another error. */
  | { readonly kind: 'unknown'; readonly at: Node; readonly relayed?: boolean };

/** What a function was called with: the values of a parameter by its index. */
export type Binding = (index: number) => Value[];

/** One call of a function inside of which expressions are looked at. */
export interface Scope {
  readonly fn: Node;
  readonly binding: Binding;
  /** The call that the function was made in. */
  readonly outer: Scope | undefined;
}

/** Thrown where an expression depends on what a function is called with, and no call is assumed. */
export class NeedsCaller extends Error {
  constructor(readonly fn: Node) {
    super('the calls of a function decide');
  }
}

/** Whether a text has words next to each other, as sentences have and names and masks (`***…***`) do not. */
export const isWords = (text: string): boolean =>
  /[A-Za-z'"),.;:]\s+['"(]?[A-Za-z]/.test(text.replace(/\*\*\*.*?\*\*\*/g, ''));
