import { isObject } from '@emu/wire';
import { WorkBudget, WorkLimitError } from '../work/budget.ts';
import type { Json } from './json.ts';
import { type Compare, compilePattern, type Pattern, SYMBOLS, sizeOf, WORDS } from './operators.ts';

type Step =
  | { kind: 'names'; names: string[] }
  | { kind: 'indexes'; indexes: number[] }
  | { kind: 'slice'; from: number | undefined; to: number | undefined; step: number }
  | { kind: 'all' }
  | { kind: 'deep' }
  | { kind: 'filter'; test: Test }
  | { kind: 'function'; name: (typeof FUNCTIONS)[number] }
  | { kind: 'function'; name: 'index'; at: number };

/** A compiled path. */
export interface Path {
  readonly text: string;
  readonly steps: readonly Step[];
  /** Whether it matches at most one value; other paths return an array. */
  readonly definite: boolean;
  /** Steps that each evaluation counts besides its visits. */
  readonly cost: number;
}

/** Result of a path; without a match, the position of the mismatch. */
export type Found = { found: true; value: Json } | { found: false; problem: string };

/** Error for an invalid path. */
export class PathSyntaxError extends Error {
  override readonly name = 'PathSyntaxError';
}

const NAME = /[^.[\]()'"\s,&|=<>!?@*]+/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const INTEGER = /-?\d+/y;
const WORD = /[a-z]+/iy;
const FLAGS = /^[dimsuU]*$/;
const PATTERN = /\/(?:[^\\/]|\\.)+\/[a-z]*/isy;
/** Functions without parameters. @see https://github.com/json-path/JsonPath#functions */
const FUNCTIONS = ['avg', 'first', 'keys', 'last', 'length', 'max', 'min', 'size', 'stddev', 'sum'] as const;
/** Maximum number of steps of a path, and maximum nesting depth of its filters. */
const MAX_STEPS = 1000;
const MAX_FILTER_DEPTH = 50;
/**
 * Maximum number of values that the evaluation of a path visits, several times those of the largest payload of Step
 * Functions. Jayway's library has no limit, but each `..` multiplies the visited values.
 */
const MAX_VISITS = 200_000;

class Reader {
  at = 0;
  /** Steps that the compilation of patterns counts as. */
  cost = 0;
  readonly budget = new WorkBudget({ steps: MAX_STEPS, depth: MAX_FILTER_DEPTH });
  constructor(readonly text: string) {}

  fail(): never {
    throw new PathSyntaxError(this.text);
  }

  space(): void {
    while (this.text[this.at] === ' ') this.at++;
  }

  take(part: string): boolean {
    this.space();
    if (!this.text.startsWith(part, this.at)) return false;
    this.at += part.length;
    return true;
  }

  expect(part: string): void {
    if (!this.take(part)) this.fail();
  }

  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  quoted(): string | undefined {
    this.space();
    const quote = this.text[this.at];
    if (quote !== "'" && quote !== '"') return undefined;
    let value = '';
    for (this.at++; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!;
      if (char === quote) {
        this.at++;
        return value;
      }
      const next = this.text[this.at + 1];
      // A backslash is literal except before the quote and another backslash.
      if (char === '\\' && (next === quote || next === '\\')) value += this.text[++this.at]!;
      else value += char;
    }
    return this.fail();
  }
}

/**
 * Parses the steps after `$` or `@`.
 * @throws PathSyntaxError
 */
function readSteps(reader: Reader): Step[] {
  const steps: Step[] = [];
  for (;;) {
    reader.budget.step();
    if (reader.text.startsWith('..', reader.at)) {
      reader.at += 2;
      steps.push({ kind: 'deep' });
      if (reader.text[reader.at] === '[') continue;
      steps.push(readName(reader));
    } else if (reader.text[reader.at] === '.') {
      reader.at++;
      // Jayway's library also accepts brackets after a dot.
      if (reader.text[reader.at] !== '[') steps.push(readName(reader));
    } else if (reader.text[reader.at] === '[') {
      reader.at++;
      steps.push(readBracket(reader));
    } else return steps;
  }
}

/** Returns names in the form in which objects hold them; V8 finds others after copying them each time. */
const asKeys = (names: readonly string[]): string[] => names.map((name) => Object.keys({ [name]: 0 })[0]!);

function readName(reader: Reader): Step {
  if (reader.text[reader.at] === '*') {
    reader.at++;
    return { kind: 'all' };
  }
  const name = reader.match(NAME) ?? reader.fail();
  if (reader.text[reader.at] === '(') {
    if (name === 'index') {
      reader.at++;
      const at = readInteger(reader) ?? reader.fail();
      reader.expect(')');
      return { kind: 'function', name, at };
    }
    const called = FUNCTIONS.find((known) => known === name);
    if (called !== undefined && reader.text.startsWith('()', reader.at)) {
      reader.at += 2;
      return { kind: 'function', name: called };
    }
  }
  return { kind: 'names', names: asKeys([name]) };
}

function readBracket(reader: Reader): Step {
  if (reader.take('*')) {
    reader.expect(']');
    return { kind: 'all' };
  }
  if (reader.take('?')) {
    reader.expect('(');
    const test = readOr(reader);
    reader.expect(')');
    reader.expect(']');
    return { kind: 'filter', test };
  }
  const first = reader.quoted();
  if (first !== undefined) {
    const names = [first];
    while (reader.take(',')) names.push(reader.quoted() ?? reader.fail());
    reader.expect(']');
    return { kind: 'names', names: asKeys(names) };
  }
  const integer = (): number | undefined => readInteger(reader);
  const from = integer();
  if (reader.take(':')) {
    const to = integer();
    const step = reader.take(':') ? (integer() ?? 1) : 1;
    reader.expect(']');
    if (step < 1) reader.fail();
    return { kind: 'slice', from, to, step };
  }
  const indexes = [from ?? reader.fail()];
  while (reader.take(',')) indexes.push(integer() ?? reader.fail());
  reader.expect(']');
  return { kind: 'indexes', indexes };
}

function readInteger(reader: Reader): number | undefined {
  reader.space();
  const text = reader.match(INTEGER);
  return text === undefined ? undefined : Number(text);
}

/** Values of `@` and `$` in a filter. */
interface Scope {
  readonly item: Json;
  readonly root: Json;
  readonly budget: WorkBudget;
}

type Test = (scope: Scope) => boolean;
type Operand = (scope: Scope) => Json | undefined;

function readOr(reader: Reader): Test {
  const tests = [readAnd(reader)];
  while (reader.take('||')) tests.push(readAnd(reader));
  return tests.length === 1 ? tests[0]! : (scope) => tests.some((test) => test(scope));
}

function readAnd(reader: Reader): Test {
  const tests = [readTerm(reader)];
  while (reader.take('&&')) tests.push(readTerm(reader));
  return tests.length === 1 ? tests[0]! : (scope) => tests.every((test) => test(scope));
}

function readTerm(reader: Reader): Test {
  const test = reader.budget.nested(() => readWholeTerm(reader));
  return (scope) => {
    scope.budget.step();
    return test(scope);
  };
}

function readWholeTerm(reader: Reader): Test {
  reader.budget.step();
  if (reader.take('!')) {
    const test = readTerm(reader);
    return (scope) => !test(scope);
  }
  if (reader.take('(')) {
    const test = readOr(reader);
    reader.expect(')');
    return test;
  }
  const left = readOperand(reader);
  if (reader.take('=~')) {
    const matches = readPattern(reader);
    return (scope) => matches(left(scope), scope.budget);
  }
  const compare = readOperator(reader);
  if (!compare) return (scope) => left(scope) !== undefined;
  const right = readOperand(reader);
  return (scope) => compare(left(scope), right(scope), scope.budget);
}

function readOperator(reader: Reader): Compare | undefined {
  for (const [operator, compare] of SYMBOLS) if (reader.take(operator)) return compare;
  reader.space();
  const word = reader.match(WORD);
  return word === undefined ? undefined : (WORDS.get(word.toLowerCase()) ?? reader.fail());
}

/** Reads `/<regular expression>/<flags>`. */
function readPattern(reader: Reader): Pattern['matches'] {
  reader.space();
  if (reader.text[reader.at] !== '/') {
    // Another operand is no pattern and matches nothing.
    readOperand(reader);
    return () => false;
  }
  const text = reader.match(PATTERN) ?? reader.fail();
  const end = text.lastIndexOf('/');
  const flags = text.slice(end + 1);
  const pattern = FLAGS.test(flags) ? compilePattern(text.slice(1, end), flags) : undefined;
  if (!pattern) return reader.fail();
  reader.cost += pattern.cost;
  return pattern.matches;
}

function readOperand(reader: Reader): Operand {
  const text = reader.quoted();
  if (text !== undefined) return () => text;
  for (const [word, value] of [
    ['true', true],
    ['false', false],
    ['null', null],
  ] as const)
    if (reader.take(word)) return () => value;
  const number = reader.match(NUMBER);
  if (number !== undefined) return () => Number(number);
  if (reader.take('[')) {
    const items: Operand[] = [];
    while (!reader.take(']')) {
      items.push(reader.budget.nested(() => readOperand(reader)));
      reader.take(',');
    }
    return (scope) => {
      scope.budget.step(items.length);
      return items.map((operand) => operand(scope) ?? null);
    };
  }
  const local = reader.take('@');
  if (!local && !reader.take('$')) reader.fail();
  const steps = readSteps(reader);
  const path: Path = { text: '', steps, definite: isDefinite(steps), cost: 0 };
  return ({ item, root, budget }) => {
    const result = walk(path, local ? item : root, root, budget);
    return typeof result === 'number' ? undefined : result.value;
  };
}

const isDefinite = (steps: readonly Step[]): boolean =>
  steps.every(
    (step) =>
      (step.kind === 'names' && step.names.length === 1) ||
      (step.kind === 'indexes' && step.indexes.length === 1) ||
      step.kind === 'function',
  );

/** Cached paths: definitions contain few, but paths built at run time must not exhaust memory. */
const compiled = { most: 10_000, paths: new Map<string, Path>() };
/** Cached paths with regular expressions, which are larger. */
const compiledPatterns = { most: 100, paths: new Map<string, Path>() };

function readBounded(reader: Reader): Step[] {
  try {
    return readSteps(reader);
  } catch (error) {
    if (error instanceof WorkLimitError) reader.fail();
    throw error;
  }
}

/**
 * Compiles a path that starts with `$`.
 * @throws PathSyntaxError
 */
export function compilePath(text: string): Path {
  const { most, paths } = text.includes('=~') ? compiledPatterns : compiled;
  const known = paths.get(text);
  if (known) return known;
  const reader = new Reader(text);
  if (text[reader.at++] !== '$') reader.fail();
  const steps = readBounded(reader);
  if (reader.at !== text.length) reader.fail();
  const path = { text, steps, definite: isDefinite(steps), cost: reader.cost };
  if (paths.size >= most) paths.clear();
  paths.set(text, path);
  return path;
}

const spell = (steps: readonly Step[]): string =>
  `$${steps
    .map((step) => {
      if (step.kind === 'names') return `['${step.names.join("','")}']`;
      return step.kind === 'indexes' ? `[${step.indexes.join(',')}]` : '[*]';
    })
    .join('')}`;

/** Items of an array that count as one step where each needs next to no work. */
const ITEMS_PER_STEP = 4;

const countItems = ({ length }: readonly Json[], budget: WorkBudget): void =>
  budget.step(Math.ceil(length / ITEMS_PER_STEP));

function childrenOf(value: Json, budget: WorkBudget): Json[] {
  if (Array.isArray(value)) {
    countItems(value, budget);
    return value;
  }
  if (!isObject(value)) return [];
  const children = Object.values(value);
  budget.step(children.length);
  return children;
}

/** Returns a value and all values in it, each before its children. */
function descend(value: Json, budget: WorkBudget): Json[] {
  const all: Json[] = [];
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    budget.step();
    all.push(next);
    const children = Array.isArray(next) ? next : isObject(next) ? Object.values(next) : [];
    for (let index = children.length - 1; index >= 0; index--) open.push(children[index]!);
  }
  return all;
}

function apply(step: Step, value: Json, root: Json, budget: WorkBudget): Json[] {
  budget.step();
  switch (step.kind) {
    case 'names':
      if (!isObject(value)) return [];
      budget.step(step.names.length - 1);
      return step.names.flatMap((name) => (Object.hasOwn(value, name) ? [value[name]!] : []));
    case 'indexes':
      if (!Array.isArray(value)) return [];
      budget.step(step.indexes.length - 1);
      return step.indexes.flatMap((index) => value.slice(index, index === -1 ? undefined : index + 1));
    case 'slice': {
      if (!Array.isArray(value)) return [];
      const items = value.slice(step.from, step.to);
      budget.step(items.length);
      return items.filter((_, index) => index % step.step === 0);
    }
    case 'all':
      return childrenOf(value, budget);
    case 'deep':
      return descend(value, budget);
    case 'filter': {
      const items = Array.isArray(value) ? value : isObject(value) ? [value] : [];
      return items.filter((item) => step.test({ item, root, budget }));
    }
    case 'function':
      return compute(step, value, budget);
  }
}

function compute(step: Extract<Step, { kind: 'function' }>, value: Json, budget: WorkBudget): Json[] {
  const list = Array.isArray(value) ? value : [];
  switch (step.name) {
    case 'length':
    case 'size': {
      const size = sizeOf(value, budget);
      return size === undefined ? [] : [size];
    }
    case 'keys': {
      if (!isObject(value)) return [];
      const keys = Object.keys(value);
      budget.step(keys.length);
      return [keys];
    }
    case 'first':
      return list.slice(0, 1);
    case 'last':
      return list.slice(-1);
    case 'index':
      return list.slice(step.at, step.at === -1 ? undefined : step.at + 1);
    default: {
      countItems(list, budget);
      const numbers = list.filter((item) => typeof item === 'number');
      return numbers.length === 0 ? [] : [aggregate(step.name, numbers)];
    }
  }
}

/** @param numbers at least one */
function aggregate(name: 'avg' | 'max' | 'min' | 'stddev' | 'sum', numbers: readonly number[]): number {
  if (name === 'min') return numbers.reduce((least, item) => Math.min(least, item));
  if (name === 'max') return numbers.reduce((most, item) => Math.max(most, item));
  const sum = numbers.reduce((total, item) => total + item, 0);
  if (name === 'sum') return sum;
  const mean = sum / numbers.length;
  if (name === 'avg') return mean;
  const squares = numbers.reduce((total, item) => total + (item - mean) ** 2, 0);
  return Math.sqrt(squares / numbers.length);
}

/**
 * Evaluates a path like Jayway's library, which AWS uses.
 * @param total counts the work of several paths
 * @throws WorkLimitError if it visits too many values
 */
export function lookUp(path: Path, value: Json, total?: WorkBudget): Found {
  const budget = new WorkBudget({ steps: MAX_VISITS, ...(total && { within: total }) });
  budget.step(path.cost);
  const result = walk(path, value, value, budget);
  if (typeof result !== 'number') return { found: true, value: result.value };
  const { steps } = path;
  const problem =
    result === steps.length - 1
      ? `No results for path: ${spell(steps)}`
      : `Missing property in path ${spell(steps.slice(0, result + 1))}`;
  return { found: false, problem };
}

/**
 * @param root value of `$` in filters
 * @returns the index of the step without a match if there is no value
 */
function walk(path: Path, value: Json, root: Json, budget: WorkBudget): { value: Json } | number {
  let values: Json[] = [value];
  const { steps } = path;
  for (const [index, step] of steps.entries()) {
    // A function applies to the complete result of an indefinite path.
    if (step.kind === 'function' && !isDefinite(steps.slice(0, index))) values = apply(step, values, root, budget);
    else values = values.flatMap((item) => apply(step, item, root, budget));
    if (values.length === 0 && path.definite) return index;
  }
  const single = path.definite || steps.at(-1)?.kind === 'function';
  return { value: single ? (values[0] ?? null) : values };
}

/**
 * Returns a copy of a value with another one at a reference path; missing objects on the path are created.
 * @returns undefined if the path contains something other than an object
 */
export function insertAt(path: Path, target: Json, value: Json): Json | undefined {
  const put = (current: Json | undefined, depth: number): Json | undefined => {
    const step = path.steps[depth];
    if (!step) return value;
    if (step.kind === 'indexes') {
      const index = step.indexes[0]!;
      if (!Array.isArray(current) || index < 0 || index >= current.length) return undefined;
      const item = put(current[index], depth + 1);
      return item === undefined ? undefined : current.map((old, at) => (at === index ? item : old));
    }
    if (step.kind !== 'names' || (current !== undefined && !isObject(current))) return undefined;
    const name = step.names[0]!;
    const child = put(current && Object.hasOwn(current, name) ? current[name] : undefined, depth + 1);
    return child === undefined ? undefined : { ...current, [name]: child };
  };
  return put(target, 0);
}
