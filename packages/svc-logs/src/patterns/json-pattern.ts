import { parseJson, textOf } from '@emu/wire';
import { compare, type FilterPattern, unquoted } from './pattern.ts';
import { type Condition, readConditions, Scanner } from './scanner.ts';

/** A step of a selector: a member, an element, or all of either. */
type Step = string | number | typeof EVERY;
const EVERY = Symbol('every');

const ROOT = /\$/y;
const MEMBER = /\.(?:\*|[\p{L}\p{N}_@-]+(?:\/[\p{L}\p{N}_@-]+)*)/uy;
const BRACKET = /\.?\[\s*(?:\*|\d+|"(?:[^"\\]|\\.)*"|'[^']*')\s*\]/y;
const KEYWORD = /(?:IS\s+NULL|IS\s+TRUE|IS\s+FALSE|NOT\s+EXISTS)(?=\W|$)/iy;

/**
 * Parses a pattern for JSON events, such as `{ $.level = "ERROR" && $.latency > 10 }`.
 * @throws PatternError
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntaxForMetricFilters.html
 */
export function parseJsonPattern(text: string): FilterPattern {
  const scanner = new Scanner(text);
  const selectors = new Map<string, readonly Step[]>();
  scanner.expect('{');
  const condition = readConditions(scanner, () => readCondition(scanner, selectors));
  scanner.expect('}');
  if (!scanner.done) throw scanner.error();
  return {
    expressions: scanner.expressions,
    test(message) {
      const event = parseEvent(message);
      return event !== undefined && condition(event);
    },
    extract(message) {
      const event = parseEvent(message);
      const found: Record<string, string> = {};
      for (const [selector, steps] of selectors) {
        const [value] = select(event, steps);
        if (value !== undefined) found[selector] = textOf(value);
      }
      return found;
    },
  };
}

/** Parses a message as a JSON object; undefined for anything else. */
function parseEvent(message: string): unknown {
  const start = message.trimStart()[0];
  if (start !== '{' && start !== '[') return undefined;
  try {
    return parseJson(message);
  } catch {
    return undefined;
  }
}

function readCondition(scanner: Scanner, selectors: Map<string, readonly Step[]>): Condition<unknown> {
  const { text, steps } = readSelector(scanner);
  selectors.set(text, steps);
  const keyword = scanner.read(KEYWORD)?.toUpperCase().replaceAll(/\s+/g, ' ');
  switch (keyword) {
    case 'IS NULL':
      return (event) => select(event, steps).includes(null);
    case 'IS TRUE':
      return (event) => select(event, steps).includes(true);
    case 'IS FALSE':
      return (event) => select(event, steps).includes(false);
    case 'NOT EXISTS':
      return (event) => select(event, steps).length === 0;
    default: {
      const operator = scanner.operator();
      const operand = scanner.operand(operator);
      // A value that is neither a string nor a number never matches.
      return (event) =>
        select(event, steps).some(
          (value) => (typeof value === 'string' || typeof value === 'number') && compare(value, operator, operand),
        );
    }
  }
}

/**
 * Parses a selector such as `$.users[0].name`.
 * @throws PatternError
 */
function readSelector(scanner: Scanner): { text: string; steps: Step[] } {
  let text = scanner.read(ROOT);
  if (text === undefined) throw scanner.error();
  const steps: Step[] = [];
  for (;;) {
    const part = scanner.read(MEMBER) ?? scanner.read(BRACKET);
    if (part === undefined) break;
    text += part;
    steps.push(stepOf(part));
  }
  if (!steps.length) throw scanner.error();
  return { text, steps };
}

function stepOf(part: string): Step {
  const inner = part.replace(/^\./, '');
  if (!inner.startsWith('[')) return inner === '*' ? EVERY : inner;
  const key = inner.slice(1, -1).trim();
  if (key === '*') return EVERY;
  return /^\d/.test(key) ? Number(key) : unquoted(key);
}

/** Returns the values that a selector selects; empty if none exist. */
function select(event: unknown, steps: readonly Step[]): unknown[] {
  let values = [event];
  for (const step of steps) values = values.flatMap((value) => stepInto(value, step));
  return values;
}

function stepInto(value: unknown, step: Step): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step === EVERY) return Object.values(value);
  if (typeof step === 'number') return Array.isArray(value) && step < value.length ? [value[step]] : [];
  return !Array.isArray(value) && Object.hasOwn(value, step) ? [(value as Record<string, unknown>)[step]] : [];
}

/**
 * Returns the text of a selected value in a JSON event; undefined if missing.
 * @param selector e.g. `$.latency`
 * @throws PatternError for an invalid selector
 */
export function valueAt(message: string, selector: string): string | undefined {
  const [value] = select(parseEvent(message), parseSelector(selector));
  return value === undefined || value === null || typeof value === 'object' ? undefined : textOf(value);
}

/** @throws PatternError for an invalid selector */
function parseSelector(selector: string): Step[] {
  const scanner = new Scanner(selector);
  const { steps } = readSelector(scanner);
  if (!scanner.done) throw scanner.error();
  return steps;
}
