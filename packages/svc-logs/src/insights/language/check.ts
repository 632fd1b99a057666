import { AGGREGATES } from '../engine/aggregates.ts';
import { FUNCTIONS } from '../engine/functions/index.ts';
import { QueryError, UnsupportedQuery, unexpectedSymbol } from './errors.ts';
import { operandsOf, subqueriesOf } from './operands.ts';
import type { Call, Command, CommandOf, Expression, Query } from './syntax.ts';

/** Maximum number of `stats` commands per query. */
const MAX_STATS = 10;

/** Number of arguments of functions. */
interface Arity {
  readonly min: number;
  readonly max: number;
}

/**
 * @param nested whether the query is inside another
 * @throws QueryError, UnsupportedQuery
 */
export function checkQuery({ commands }: Query, text: string, nested = false): void {
  let stats = 0;
  let previous: Command | undefined;
  let deduplicated = false;
  for (const command of commands) {
    if (deduplicated && command.type !== 'limit') throw unexpectedSymbol(text, command.offset);
    if (command.type === 'unsupported')
      throw new UnsupportedQuery(`The command ${command.name} of CloudWatch Logs Insights is not supported.`);
    if (command.type === 'diff' && previous?.type !== 'pattern')
      throw errorAt(command.offset, 'Diff compilation Failed : Diff operation has to be used after Pattern', text);
    if (command.type === 'stats' && ++stats > MAX_STATS)
      throw errorAt(command.offset, `A query can have at most ${MAX_STATS} stats commands`, text);
    if (command.type === 'parse') checkParse(command, text);
    for (const { query, offset } of queriesIn(command)) {
      if (nested) throw errorAt(offset, 'Nested subqueries are not supported', text);
      checkQuery(query, text, true);
    }
    if (command.type === 'join') checkJoin(command, text);
    for (const { expression, aggregates } of expressionsOf(command)) {
      const [subquery] = command.type === 'filter' ? [] : subqueriesOf(expression);
      if (subquery) throw unexpectedSymbol(text, subquery.offset);
      checkExpression(expression, aggregates, text);
    }
    deduplicated ||= command.type === 'dedup';
    previous = command;
  }
}

const errorAt = (offset: number, message: string, text: string): QueryError =>
  new QueryError(message, offset, text.length);

/** Returns the nested queries of a command. */
function queriesIn(command: Command): { query: Query; offset: number }[] {
  if (command.type === 'join') return [command];
  return command.type === 'filter' ? subqueriesOf(command.condition) : [];
}

/** Checks that a join condition compares one field of each side. */
function checkJoin({ left, right, where, offset }: CommandOf<'join'>, text: string): void {
  if (left === right) throw errorAt(offset, 'The aliases of a join must be different', text);
  const sides = where.map(({ segments }) => segments.length > 1 && segments[0]);
  if (!sides.includes(left) || !sides.includes(right))
    throw errorAt(offset, 'The condition of a join must compare a field of each of its aliases', text);
}

function checkParse(command: Extract<Command, { type: 'parse' }>, text: string): void {
  if (command.kind === 'glob') {
    const stars = command.pattern.split('*').length - 1;
    if (stars !== command.names.length)
      throw errorAt(
        command.offset,
        'The number of aliases must be that of the wildcards in the parse expression',
        text,
      );
  }
  if (command.kind === 'regex' && !command.pattern.source.includes('(?<') && !command.pattern.source.includes('(?P<'))
    if (!command.names.length)
      throw errorAt(command.pattern.offset, 'The regular expression of parse has no named capturing group', text);
}

function expressionsOf(command: Command): { expression: Expression; aggregates: boolean }[] {
  const plain = (expression: Expression) => ({ expression, aggregates: false });
  switch (command.type) {
    case 'fields':
    case 'display':
      return command.items.map(({ expression }) => plain(expression));
    case 'filter':
    case 'filterIndex':
      return [plain(command.condition)];
    case 'stats':
      return [
        ...command.items.map(({ expression }) => ({ expression, aggregates: true })),
        ...command.by.map(({ expression }) => plain(expression)),
      ];
    case 'sort':
      return command.keys.map(({ expression }) => plain(expression));
    case 'parse':
      return command.of ? [plain(command.of)] : [];
    case 'pattern':
      return [plain(command.of)];
    default:
      return [];
  }
}

function checkExpression(expression: Expression, aggregates: boolean, text: string): void {
  if (expression.type === 'call') checkCall(expression, aggregates, text);
  else for (const operand of operandsOf(expression)) checkExpression(operand, aggregates, text);
}

/** Checks a function call. An unknown function name is read as a field, which must not be followed by a parenthesis. */
function checkCall(call: Call, aggregates: boolean, text: string): void {
  const aggregate = aggregates ? AGGREGATES.get(call.name) : undefined;
  const known: Arity | undefined = aggregate ?? FUNCTIONS.get(call.name);
  if (!known) throw unexpectedSymbol(text, call.open);
  const all = call.args.some(({ type }) => type === 'all');
  if (all && !(aggregate?.all && call.args.length === 1)) throw unexpectedSymbol(text, text.indexOf('*', call.open));
  if (call.args.length < known.min || call.args.length > known.max)
    throw errorAt(call.open, `Invalid number of arguments for the function ${call.name}`, text);
  // Aggregations must not be nested.
  for (const arg of call.args) checkExpression(arg, aggregates && !aggregate, text);
}
