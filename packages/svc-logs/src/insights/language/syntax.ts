/** A query as its grammar reads it (`src/insights.peggy`). Offsets are characters from the beginning of the query. */
export interface Query {
  source: Source | null;
  commands: Command[];
}

/** What a `SOURCE` command selects. */
export interface Source {
  /** Of `logGroups(…)`; null where log groups are named. */
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
  /** As it was written: the name of the column where there is no alias. */
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
  /** Where its parenthesis opens. */
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

/** A condition that holds for what a query of its own returns. */
export interface Subquery {
  type: 'subquery';
  operand: Expression;
  query: Query;
  offset: number;
}
