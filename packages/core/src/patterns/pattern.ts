import { EVENT_PATTERNS, type PatternDialect } from './dialect.ts';
import { readExpression } from './expressions.ts';
import { JsonTokens, PatternError } from './json-tokens.ts';
import { exactly, type Matcher, type MatcherKey } from './matchers.ts';

/** A pattern's condition on one field: one of the matchers must match. */
export interface FieldCondition {
  /** Names from the root, joined by dots. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly matchers: readonly Matcher[];
  /** Whether the field may be missing, by `exists: false`. */
  readonly absent: boolean;
  /** The values of the field that can match, or their beginnings; undefined if others can match, too. */
  readonly keys: readonly MatcherKey[] | undefined;
}

/** A compiled pattern. */
export interface Pattern {
  /**
   * Alternatives from `$or`, at least one. Each is a list of conditions that must all be met, in order of their paths.
   */
  readonly branches: readonly (readonly FieldCondition[])[];
}

/** Maximum number of alternatives from `$or`. */
const MAX_BRANCHES = 1000;

/** Names that are reserved inside `$or`. */
const RESERVED = new Set([
  'exactly',
  'equals-ignore-case',
  'prefix',
  'suffix',
  'anything-but',
  'exists',
  'wildcard',
  'numeric',
  'cidr',
  '=',
  '<',
  '<=',
  '>',
  '>=',
  'regex',
  'not-wildcard',
  'not-equals-ignore-case',
  'date-after',
  'date-on-or-after',
  'date-before',
  'date-on-or-before',
  'in-date-range',
  'ip-address-in-range',
  'ip-address-not-in-range',
]);

/** Conditions by path; a later one of the same path replaces an earlier one. */
type Branch = Map<string, readonly Matcher[]>;

/**
 * Compiles a pattern as event-ruler reads it (Amazon EventBridge user guide, "Comparison operators for use in event
 * patterns"; Amazon SNS developer guide, "Filter policies").
 * @param json the pattern's text
 * @throws PatternError whose message is the reason AWS gives, with its place
 */
export function compilePattern(json: string, dialect: PatternDialect = EVENT_PATTERNS): Pattern {
  const tokens = new JsonTokens(json);
  if (tokens.next() !== 'START_OBJECT') throw tokens.error('Filter is not an object');
  const branches = new PatternReader(tokens, dialect).readObject([new Map()], [], false);
  return { branches: branches.map(toConditions) };
}

class PatternReader {
  constructor(
    private readonly tokens: JsonTokens,
    private readonly dialect: PatternDialect,
  ) {}

  /** Adds the conditions of an object, after its opening brace, to every branch. */
  readObject(before: Branch[], path: readonly string[], insideOr: boolean): Branch[] {
    const { tokens } = this;
    let branches = before;
    let empty = true;
    while (tokens.next() !== 'END_OBJECT') {
      empty = false;
      const name = tokens.fieldName;
      if (name === '$or') {
        branches = this.readOr(branches, path);
        continue;
      }
      if (insideOr && RESERVED.has(name))
        throw tokens.error(`${name} is Ruler reserved fieldName which cannot be used inside $or.`);
      const token = tokens.next();
      const inner = [...path, name];
      if (token === 'START_OBJECT') branches = this.readObject(branches, inner, insideOr);
      else if (token === 'START_ARRAY') {
        const matchers = this.readAlternatives();
        for (const branch of branches) branch.set(inner.join('.'), matchers);
      } else throw tokens.error(`"${name}" must be an object or an array`);
    }
    if (empty) throw tokens.error('Empty objects are not allowed');
    return branches;
  }

  private readOr(before: Branch[], path: readonly string[]): Branch[] {
    const { tokens } = this;
    if (tokens.next() !== 'START_ARRAY') throw tokens.error('It must be an Array followed with $or.');
    const branches: Branch[] = [];
    let count = 0;
    for (let token = tokens.next(); token !== 'END_ARRAY'; token = tokens.next()) {
      if (token !== 'START_OBJECT') throw tokens.error('Only JSON object is allowed in array of $or relationship.');
      count++;
      const copies = before.map((branch) => new Map(branch));
      branches.push(...this.readObject(copies, path, true));
      if (branches.length > MAX_BRANCHES)
        throw new PatternError(`Too many $or combinations, at most ${MAX_BRANCHES} are allowed`, '');
    }
    if (count < 2) throw tokens.error('There must have at least 2 Objects in $or relationship.');
    return branches;
  }

  private readAlternatives(): Matcher[] {
    const { tokens } = this;
    const matchers: Matcher[] = [];
    for (let token = tokens.next(); token !== 'END_ARRAY'; token = tokens.next())
      switch (token) {
        case 'START_OBJECT':
          matchers.push(readExpression(tokens, this.dialect));
          break;
        case 'STRING':
          matchers.push(exactly(tokens.text()));
          break;
        case 'NUMBER':
          matchers.push(exactly(Number(tokens.text()), this.dialect.scale));
          break;
        case 'NULL':
          matchers.push(exactly(null));
          break;
        case 'TRUE':
        case 'FALSE':
          matchers.push(exactly(token === 'TRUE'));
          break;
        default:
          throw tokens.error('Match value must be String, number, true, false, or null');
      }
    if (!matchers.length) throw tokens.error('Empty arrays are not allowed');
    return matchers;
  }
}

function toConditions(branch: Branch): FieldCondition[] {
  const paths = [...branch.keys()].sort((a, b) => (a < b ? -1 : 1));
  return paths.map((path) => {
    const matchers = branch.get(path)!;
    return {
      path,
      segments: path.split('.'),
      matchers,
      absent: matchers.some((matcher) => matcher.absent),
      keys: matchers.every((matcher) => matcher.key) ? matchers.map((matcher) => matcher.key!) : undefined,
    };
  });
}
