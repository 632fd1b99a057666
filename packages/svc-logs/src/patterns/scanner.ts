import { type Operand, type Operator, operandOf, PatternError, VALUE } from './pattern.ts';

const SPACE = /\s*/y;
const OPERATOR = /(?:!=|=!|<=|>=|=|<|>)/y;

/** Reads a pattern from left to right. */
export class Scanner {
  private at = 0;
  /** Regular expressions that were read. */
  expressions = 0;

  constructor(private readonly text: string) {}

  get done(): boolean {
    this.match(SPACE);
    return this.at >= this.text.length;
  }

  /** What an expression finds right here, after blanks; undefined where it finds nothing. @param sticky has the flag `y` */
  read(sticky: RegExp): string | undefined {
    this.match(SPACE);
    return this.match(sticky);
  }

  /** Whether a text stands here; it is passed over. */
  take(text: string): boolean {
    this.match(SPACE);
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** @throws PatternError where a text does not stand here */
  expect(text: string): void {
    if (!this.take(text)) throw this.error();
  }

  /** @throws PatternError where there is none */
  operator(): Operator {
    const found = this.read(OPERATOR);
    if (found === undefined) throw this.error();
    return found === '=!' ? '!=' : (found as Operator);
  }

  /** @throws PatternError where there is none, or one that its operator does not take */
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

/** The operand, where the operator takes it: what is put in order are numbers. */
function checked(operator: Operator, operand: Operand): Operand | undefined {
  if (operator === '=' || operator === '!=') return operand;
  return operand.kind === 'text' && !operand.quoted && NUMERIC.test(operand.text) ? operand : undefined;
}

/** A condition over something. */
export type Condition<Subject> = (subject: Subject) => boolean;

/**
 * Reads conditions joined by `&&` and `||`, the first binding closer, with parentheses.
 * @param single reads one condition
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
