import { type Operand, type Operator, operandOf, PatternError, VALUE } from './pattern.ts';

const SPACE = /\s*/y;
const OPERATOR = /(?:!=|=!|<=|>=|=|<|>)/y;

/** Scans a pattern from left to right. */
export class Scanner {
  private at = 0;
  /** Number of scanned regular expressions. */
  expressions = 0;

  constructor(private readonly text: string) {}

  get done(): boolean {
    this.match(SPACE);
    return this.at >= this.text.length;
  }

  /**
   * Matches an expression at the current position after blanks; undefined without a match.
   * @param sticky expression with the flag `y`
   */
  read(sticky: RegExp): string | undefined {
    this.match(SPACE);
    return this.match(sticky);
  }

  /** Consumes a text if it is next; returns whether it was. */
  take(text: string): boolean {
    this.match(SPACE);
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** @throws PatternError if a text is not next */
  expect(text: string): void {
    if (!this.take(text)) throw this.error();
  }

  /** @throws PatternError if there is none */
  operator(): Operator {
    const found = this.read(OPERATOR);
    if (found === undefined) throw this.error();
    return found === '=!' ? '!=' : (found as Operator);
  }

  /** @throws PatternError if there is none, or the operator does not accept it */
  operand(operator: Operator): Operand {
    const token = this.read(VALUE);
    if (token === undefined) throw this.error();
    const operand = operandOf(token);
    if (operand.kind === 'expression') this.expressions++;
    return checked(operator, operand) ?? this.fail(token);
  }

  error(): PatternError {
    return new PatternError('Invalid metric filter pattern');
  }

  private fail(token: string): never {
    throw new PatternError(`Invalid character(s) in term '${token}'`);
  }

  private match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

const NUMERIC = /^[+-]?[\d.]+(?:[eE][+-]?\d+)?$/;

/** Returns the operand if the operator accepts it: order comparisons require numbers. */
function checked(operator: Operator, operand: Operand): Operand | undefined {
  if (operator === '=' || operator === '!=') return operand;
  return operand.kind === 'text' && !operand.quoted && NUMERIC.test(operand.text) ? operand : undefined;
}

/** A condition. */
export type Condition<Subject> = (subject: Subject) => boolean;

/**
 * Parses conditions joined by `&&` and `||`, with precedence of `&&`, and parentheses.
 * @param single parses one condition
 * @throws PatternError
 */
export function readConditions<Subject>(scanner: Scanner, single: () => Condition<Subject>): Condition<Subject> {
  const alternatives = [readAll(scanner, single)];
  while (scanner.take('||')) alternatives.push(readAll(scanner, single));
  return alternatives.length === 1
    ? alternatives[0]!
    : (subject) => alternatives.some((alternative) => alternative(subject));
}

function readAll<Subject>(scanner: Scanner, single: () => Condition<Subject>): Condition<Subject> {
  const all = [readOne(scanner, single)];
  while (scanner.take('&&')) all.push(readOne(scanner, single));
  return all.length === 1 ? all[0]! : (subject) => all.every((condition) => condition(subject));
}

function readOne<Subject>(scanner: Scanner, single: () => Condition<Subject>): Condition<Subject> {
  if (!scanner.take('(')) return single();
  const inner = readConditions(scanner, single);
  scanner.expect(')');
  return inner;
}
