import { AGGREGATES } from '../engine/aggregates.ts';
import { FUNCTIONS } from '../engine/functions/index.ts';
import { QueryError, UnsupportedQuery, unexpectedSymbol } from './errors.ts';
import { operandsOf } from './operands.ts';
import type { Call, Command, Expression, Query } from './syntax.ts';

/** How often a query may have `stats`. */
const MAX_STATS = 10;

/** How many arguments a function takes. */
interface Arity {
  readonly min: number;
  readonly max: number;
}

/** @throws QueryError, UnsupportedQuery */
export function checkQuery({ commands }: Query, text: string): void {
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
    for (const { expression, aggregates } of expressionsOf(command)) checkExpression(expression, aggregates, text);
    deduplicated ||= command.type === 'dedup';
    previous = command;
  }
}

const errorAt = (offset: number, message: string, text: string): QueryError =>
  new QueryError(message, offset, text.length);

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
  if (expression.type === 'subquery')
    throw new UnsupportedQuery('Subqueries of CloudWatch Logs Insights are not supported.');
  if (expression.type === 'call') checkCall(expression, aggregates, text);
  else for (const operand of operandsOf(expression)) checkExpression(operand, aggregates, text);
}

/** What a name that is no function is taken for is a field, behind which no parenthesis may open. */
function checkCall(call: Call, aggregates: boolean, text: string): void {
  const aggregate = aggregates ? AGGREGATES.get(call.name) : undefined;
  const known: Arity | undefined = aggregate ?? FUNCTIONS.get(call.name);
  if (!known) throw unexpectedSymbol(text, call.open);
  const all = call.args.some(({ type }) => type === 'all');
  if (all && !(aggregate?.all && call.args.length === 1)) throw unexpectedSymbol(text, text.indexOf('*', call.open));
  if (call.args.length < known.min || call.args.length > known.max)
    throw errorAt(call.open, `Invalid number of arguments for the function ${call.name}`, text);
  // Aggregations are not nested.
  for (const arg of call.args) checkExpression(arg, aggregates && !aggregate, text);
}
