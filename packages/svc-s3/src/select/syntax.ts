/** Syntax tree of SelectObjectContent's SQL (`select.peggy`). */

/** A path step: a member by name, case-sensitive if quoted, or an element. */
export type Step = { readonly name: string; readonly quoted: boolean } | { readonly index: number };

/** A step of `FROM`, which may be a wildcard for elements or members. */
export type SourceStep = Step | { readonly wildcard: true };

export type Expression =
  | { readonly type: 'or' | 'and' | 'concat'; readonly terms: readonly Expression[] }
  | { readonly type: 'not' | 'negative'; readonly term: Expression }
  | { readonly type: 'is'; readonly what: 'null' | 'missing'; readonly operand: Expression }
  | { readonly type: 'between'; readonly operand: Expression; readonly low: Expression; readonly high: Expression }
  | { readonly type: 'in'; readonly operand: Expression; readonly candidates: readonly Expression[] }
  | {
      readonly type: 'like';
      readonly operand: Expression;
      readonly pattern: Expression;
      readonly escape: Expression | null;
    }
  | { readonly type: 'compare'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | {
      readonly type: 'arithmetic';
      readonly operator: '+' | '-' | '*' | '/' | '%';
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly type: 'case';
      readonly subject: Expression | null;
      readonly branches: readonly { readonly when: Expression; readonly then: Expression }[];
      readonly otherwise: Expression | null;
    }
  | {
      readonly type: 'cast';
      readonly operand: Expression;
      /** In lower case. */
      readonly to: string;
      readonly parameters: readonly number[];
    }
  | { readonly type: 'extract'; readonly part: string; readonly operand: Expression }
  | { readonly type: 'date'; readonly name: string; readonly part: string; readonly args: readonly Expression[] }
  | {
      readonly type: 'trim';
      readonly side: 'leading' | 'trailing' | 'both';
      readonly characters: Expression | null;
      readonly operand: Expression;
    }
  | { readonly type: 'all'; readonly name: string }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly type: 'path'; readonly steps: readonly Step[] }
  | { readonly type: 'text' | 'number' | 'ion'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'nothing' };

/** A result column. */
export interface Projection {
  readonly expression: Expression;
  readonly alias: string | null;
}

/** A whole `SELECT`. */
export interface Statement {
  /** `null` for `*`; `allOf` for `alias.*`. */
  readonly projections: readonly Projection[] | { readonly allOf: string } | null;
  readonly from: { readonly root: string; readonly path: readonly SourceStep[]; readonly alias: string | null };
  readonly where: Expression | null;
  readonly limit: number | null;
}
