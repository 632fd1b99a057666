import type { StateValue } from '@emu/service-types/cloudwatch';

/** A parsed rule of a composite alarm. */
export type RuleExpression =
  | { kind: 'constant'; value: boolean }
  | { kind: 'state'; alarm: string; state: StateValue }
  | { kind: 'at-least'; count: number; percent: boolean; negated: boolean; state: StateValue; alarms: string[] }
  | { kind: 'not'; operand: RuleExpression }
  | { kind: 'and' | 'or'; operands: RuleExpression[] };

/** An invalid rule. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
}

const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|([(),%])|([^\s(),"%]+))/y;
const STATES: readonly string[] = ['ALARM', 'OK', 'INSUFFICIENT_DATA'];
const MAX_ELEMENTS = 500;

interface Token {
  kind: 'text' | 'sign' | 'word';
  text: string;
}

/**
 * Parses an alarm rule such as `ALARM("a") AND NOT (OK(b) OR AT_LEAST(2, ALARM, (c, d, e)))`.
 * @throws RuleError if it is invalid
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
 */
export function parseRule(text: string): RuleExpression {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (!match) throw new RuleError('AlarmRule contains an unexpected character.');
    const [, quoted, sign, word] = match;
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replace(/\\(.)/g, '$1') });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else tokens.push({ kind: 'word', text: word! });
  }
  return new RuleParser(tokens).whole();
}

class RuleParser {
  private position = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): RuleExpression {
    const rule = this.either();
    if (this.current) throw this.unexpected();
    if (alarmsOf(rule).size > MAX_ELEMENTS) throw new RuleError(`AlarmRule has more than ${MAX_ELEMENTS} elements.`);
    return rule;
  }

  private get current(): Token | undefined {
    return this.tokens[this.position];
  }

  private unexpected(): RuleError {
    return new RuleError(
      this.current ? `AlarmRule contains an unexpected token: ${this.current.text}` : 'AlarmRule ends too early.',
    );
  }

  private takes(sign: string): boolean {
    if (this.current?.kind !== 'sign' || this.current.text !== sign) return false;
    this.position++;
    return true;
  }

  private needs(sign: string): void {
    if (!this.takes(sign)) throw this.unexpected();
  }

  private takesWord(word: string): boolean {
    if (this.current?.kind !== 'word' || this.current.text !== word) return false;
    this.position++;
    return true;
  }

  private either(): RuleExpression {
    const operands = [this.all()];
    while (this.takesWord('OR')) operands.push(this.all());
    return operands.length > 1 ? { kind: 'or', operands } : operands[0]!;
  }

  private all(): RuleExpression {
    const operands = [this.one()];
    while (this.takesWord('AND')) operands.push(this.one());
    return operands.length > 1 ? { kind: 'and', operands } : operands[0]!;
  }

  private one(): RuleExpression {
    if (this.takesWord('NOT')) return { kind: 'not', operand: this.one() };
    if (this.takes('(')) {
      const inner = this.either();
      this.needs(')');
      return inner;
    }
    if (this.takesWord('TRUE')) return { kind: 'constant', value: true };
    if (this.takesWord('FALSE')) return { kind: 'constant', value: false };
    if (this.takesWord('AT_LEAST')) return this.atLeast();
    const token = this.current;
    if (token?.kind !== 'word' || !STATES.includes(token.text)) throw this.unexpected();
    this.position++;
    this.needs('(');
    const alarm = this.alarm();
    this.needs(')');
    return { kind: 'state', alarm, state: token.text as StateValue };
  }

  /** Parses `AT_LEAST(2, ALARM, (a, b, c))`, also with a percentage such as `50%` and with `NOT` before the state. */
  private atLeast(): RuleExpression {
    this.needs('(');
    const count = Number(this.current?.text);
    if (!Number.isInteger(count) || count < 1) throw this.unexpected();
    this.position++;
    const percent = this.takes('%');
    this.needs(',');
    const negated = this.takesWord('NOT');
    const state = this.current?.text ?? '';
    if (!STATES.includes(state)) throw this.unexpected();
    this.position++;
    this.needs(',');
    this.needs('(');
    const alarms: string[] = [];
    do alarms.push(this.alarm());
    while (this.takes(','));
    this.needs(')');
    this.needs(')');
    return { kind: 'at-least', count, percent, negated, state: state as StateValue, alarms };
  }

  /** Parses a name or an ARN. */
  private alarm(): string {
    const token = this.current;
    if (!token || token.kind === 'sign') throw this.unexpected();
    this.position++;
    return token.text;
  }
}

/** Returns the names and ARNs of the alarms in a rule, in order. */
export function alarmsOf(rule: RuleExpression): Set<string> {
  switch (rule.kind) {
    case 'constant':
      return new Set();
    case 'state':
      return new Set([rule.alarm]);
    case 'at-least':
      return new Set(rule.alarms);
    case 'not':
      return alarmsOf(rule.operand);
    default:
      return new Set(rule.operands.flatMap((operand) => [...alarmsOf(operand)]));
  }
}

/**
 * Whether a rule is true.
 * @param stateOf returns the state of an alarm by name or ARN; undefined if it was deleted
 */
export function holds(rule: RuleExpression, stateOf: (alarm: string) => StateValue | undefined): boolean {
  switch (rule.kind) {
    case 'constant':
      return rule.value;
    case 'state':
      return stateOf(rule.alarm) === rule.state;
    case 'at-least': {
      const { alarms, state, negated, percent, count } = rule;
      const matching = alarms.filter((alarm) => (stateOf(alarm) === state) !== negated).length;
      return matching >= (percent ? Math.ceil((alarms.length * count) / 100) : count);
    }
    case 'not':
      return !holds(rule.operand, stateOf);
    case 'and':
      return rule.operands.every((operand) => holds(operand, stateOf));
    case 'or':
      return rule.operands.some((operand) => holds(operand, stateOf));
  }
}
