/** Syntax tree of a query (grammar in `src/insights.peggy`). Offsets are character indexes in the query. */
export interface Query {
  source: Source | null;
  commands: Command[];
}

/** Selection of a `SOURCE` command. */
export interface Source {
  /** Of `logGroups(…)`; null if log groups are named. */
  criteria: { name: string; values: string[]; offset: number }[] | null;
  names: string[];
  bounds: Bound[];
}

/** `START=` or `END=` of a `SOURCE` command. */
export type Bound = { name: 'start' | 'end' } & (
  | { kind: 'now' }
  | { kind: 'ago'; amount: number; unit: string }
  | { kind: 'at'; millis: number }
);

/** An expression with its alias. */
export interface Projection {
  expression: Expression;
  /** Source text, which is the column name without an alias. */
  text: string;
  alias: string | null;
  offset: number;
}

export type ParsePattern =
  | { kind: 'regex'; pattern: Regex; names: string[]; multi: boolean }
  | { kind: 'glob'; pattern: string; names: string[] }
  | { kind: 'logfmt'; names: string[] };

export type Command = { offset: number } & (
  | { type: 'fields'; items: Projection[] }
  | { type: 'display'; items: Projection[] }
  | { type: 'filter'; condition: Expression }
  | { type: 'filterIndex'; condition: Expression }
  | { type: 'stats'; items: Projection[]; by: Projection[]; shift: Period | null }
  | { type: 'sort'; keys: { expression: Expression; descending: boolean }[] }
  | { type: 'limit'; count: number; any: boolean; last: boolean }
  | { type: 'dedup'; fields: Field[] }
  | ({ type: 'parse'; of: Expression | null } & ParsePattern)
  | { type: 'pattern'; of: Expression }
  | { type: 'diff'; modifier: 'previousday' | 'previousweek' | 'previousmonth' | null }
  | { type: 'unmask'; fields: Field[] }
  | { type: 'unnest'; of: Field; as: string | null }
  | { type: 'lookup'; table: string; keys: { column: string; field: Field | null }[]; outputs: string[] }
  | { type: 'join'; kind: 'inner' | 'left'; left: string; right: string; where: [Field, Field]; query: Query }
  | { type: 'unsupported'; name: string }
);

/** A command of a type. */
export type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>;

export interface Field {
  type: 'field';
  name: string;
  segments: string[];
}

export interface Regex {
  type: 'regex';
  source: string;
  offset: number;
}

export interface Period {
  amount: number;
  unit: string;
}

export interface Call {
  type: 'call';
  /** In lower case. */
  name: string;
  args: Expression[];
  /** Index of its parenthesis. */
  open: number;
}

export type Expression =
  | Field
  | Call
  | Regex
  | ({ type: 'period' } & Period)
  | { type: 'all' }
  | { type: 'number'; value: number }
  | { type: 'text'; value: string }
  | { type: 'boolean'; value: boolean }
  | { type: 'access'; of: Call; segments: string[] }
  | { type: 'or' | 'and'; terms: Expression[] }
  | { type: 'not'; term: Expression }
  | { type: 'negative'; term: Expression }
  | { type: 'arithmetic'; operator: '+' | '-' | '*' | '/' | '%' | '^'; left: Expression; right: Expression }
  | { type: 'compare'; operator: '=' | '!=' | '<' | '<=' | '>' | '>='; left: Expression; right: Expression }
  | { type: 'like'; operand: Expression; pattern: Expression }
  | { type: 'in'; operand: Expression; candidates: Expression[] }
  | Subquery;

/** A condition that uses the results of a subquery. */
export interface Subquery {
  type: 'subquery';
  operand: Expression;
  query: Query;
  offset: number;
}
