import type { Command, Expression } from '../language/syntax.ts';
import type { Hints } from './pipeline.ts';

/** Printable ASCII characters that JSON never escapes, so that stored lines contain them unchanged. */
const PLAIN = /^[ !#-[\]-~]+$/;
/** Characters that no JSON writer escapes, so that messages contain a field's value unchanged. */
const BARE = /^[\w .:-]+$/;
/** Generated fields whose values occur in the message. */
const IN_MESSAGE: readonly string[] = ['@requestId', '@type', '@xrayTraceId', '@xraySegmentId'];

/** Returns the hints from a query about events that cannot match. */
export function hintsOf(commands: readonly Command[]): Hints {
  const indexes: string[] = [];
  const texts: string[] = [];
  const made = new Set<string>();
  for (const command of commands) {
    if (command.type === 'filter' || command.type === 'filterIndex') {
      for (const term of conjunction(command.condition)) {
        const field = equalField(term);
        if (field !== undefined && command.type === 'filterIndex') indexes.push(field);
        const text = textIn(term, made);
        if (text !== undefined) texts.push(text);
      }
    } else if (command.type === 'fields' || command.type === 'display') {
      for (const { alias } of command.items) if (alias !== null) made.add(alias);
    } else if (command.type === 'parse') for (const name of namesOf(command)) made.add(name);
    // The effects of other commands on rows or messages are unknown.
    else break;
  }
  texts.sort((a, b) => b.length - a.length);
  return { indexes, contains: texts[0], descending: isNewestFirst(commands) };
}

/** Commands that depend on row order, or create other rows. */
const ORDERED: readonly string[] = ['sort', 'limit', 'dedup', 'stats', 'pattern'];

/** Whether rows are sorted by time first, newest first, explicitly or by default. */
function isNewestFirst(commands: readonly Command[]): boolean {
  const first = commands.find(({ type }) => ORDERED.includes(type));
  if (first?.type === 'sort') {
    const [key] = first.keys;
    return key!.descending && key!.expression.type === 'field' && key!.expression.name === '@timestamp';
  }
  if (first?.type === 'limit') return !first.any;
  return first === undefined || first.type === 'dedup';
}

/** Returns the columns of `parse`; regular expressions use group names. */
const namesOf = (command: Extract<Command, { type: 'parse' }>): string[] =>
  command.names.length || command.kind !== 'regex'
    ? command.names
    : [...command.pattern.source.matchAll(/\(\?P?<(\w+)>/g)].map(([, name]) => name!);

/** Splits a condition at `and`. */
const conjunction = (expression: Expression): Expression[] =>
  expression.type === 'and' ? expression.terms.flatMap(conjunction) : [expression];

/**
 * Returns the text that matching messages contain.
 * @param made columns created by the query
 */
function textIn(condition: Expression, made: ReadonlySet<string>): string | undefined {
  if (condition.type === 'like' && condition.pattern.type === 'text' && condition.operand.type === 'field') {
    const { value } = condition.pattern;
    return condition.operand.name === '@message' && !made.has('@message') && PLAIN.test(value) ? value : undefined;
  }
  if (condition.type !== 'compare' || condition.operator !== '=') return undefined;
  const { left, right } = condition;
  // The same number may be written in several ways.
  if (left.type !== 'field' || right.type !== 'text' || !BARE.test(right.value) || !Number.isNaN(Number(right.value)))
    return undefined;
  const { name, segments } = left;
  if (name.startsWith('@') && !IN_MESSAGE.includes(name)) return undefined;
  return segments.some((_segment, index) => made.has(segments.slice(0, index + 1).join('.'))) ? undefined : right.value;
}

/** Returns the field and values required by a condition, for indexes. */
function equalField(condition: Expression): string | undefined {
  if (condition.type === 'compare' && condition.operator === '=' && condition.left.type === 'field')
    return condition.left.name;
  return condition.type === 'in' && condition.operand.type === 'field' ? condition.operand.name : undefined;
}
