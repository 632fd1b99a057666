import { createHash } from 'node:crypto';
import { equal, type Json } from '@emu/core/json-path';
import { canonicalJson, WorkBudget, WorkLimitError } from '@emu/core/service';
import { isObject, parseJson, textOf } from '@emu/wire';
import { type Environment, follow } from './environment.ts';
import { intrinsicFailure } from './failure.ts';

/** An intrinsic function expression. */
export type Expression =
  | { kind: 'value'; value: Json }
  | { kind: 'path'; path: string }
  | { kind: 'call'; name: string; args: Expression[] };

/** Error for an invalid expression. */
export class ExpressionSyntaxError extends Error {
  override readonly name = 'ExpressionSyntaxError';
}

/** Multiplier, increment and modulus of the generator of `java.util.Random`. */
const MULTIPLIER = 0x5deece66dn;
const INCREMENT = 0xbn;
const MODULUS_MASK = (1n << 48n) - 1n;

/**
 * Returns a number from 0 to 1 derived from a seed, the first one of Java's `Random`, which AWS uses.
 * @param seed JSON number; its fraction is ignored, and it is limited to Java's `long`
 * @see https://docs.oracle.com/javase/8/docs/api/java/util/Random.html#nextDouble--
 */
export function seededRandom(seed: number): number {
  const whole = BigInt(Math.trunc(Math.min(Math.max(seed, -(2 ** 63)), 2 ** 63)));
  let state = (BigInt.asUintN(64, whole) ^ MULTIPLIER) & MODULUS_MASK;
  const next = (bits: bigint): number => {
    state = (state * MULTIPLIER + INCREMENT) & MODULUS_MASK;
    return Number(state >> (48n - bits));
  };
  return (next(26n) * 2 ** 27 + next(27n)) / 2 ** 53;
}

const invalid = (name: string): never => {
  throw intrinsicFailure(`Invalid arguments in ${name}`);
};
const arrayOf = (value: Json | undefined, name: string): Json[] => (Array.isArray(value) ? value : invalid(name));
const stringOf = (value: Json | undefined, name: string): string => (typeof value === 'string' ? value : invalid(name));
const numberOf = (value: Json | undefined, name: string): number => (typeof value === 'number' ? value : invalid(name));
/** AWS rounds halves away from zero. */
const integerOf = (value: Json | undefined, name: string): number => {
  const number = numberOf(value, name);
  return Math.sign(number) * Math.round(Math.abs(number));
};

/**
 * Maximum number of functions in each other.
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/intrinsic-functions.html
 */
const MAX_NESTED = 10;
/** Limits of one expression: compared values, and characters of all texts. */
const LIMITS = { steps: 1_000_000, size: 8 * 1024 * 1024 };
const MAX_RANGE = 1000;
const MAX_TEXT = 10_000;
const ALGORITHMS: Record<string, string> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};

/** Returns the numbers of a range, both ends inclusive. */
export function rangeOf(first: number, last: number, step: number): number[] | undefined {
  if (step === 0) return undefined;
  const length = Math.floor((last - first) / step) + 1;
  if (length > MAX_RANGE) return undefined;
  return Array.from({ length: Math.max(0, length) }, (_, index) => first + index * step);
}

/** Splits an array into chunks of a maximum size. */
export const partitionOf = (items: readonly Json[], size: number): Json[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/** Returns the digest of a text in hexadecimal; undefined for an unknown algorithm. */
export const hashOf = (text: string, algorithm: string): string | undefined => {
  const name = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined;
  return name === undefined ? undefined : createHash(name).update(text).digest('hex');
};

function format(args: Json[], _env: Environment, budget: WorkBudget): string {
  const [template, ...values] = args;
  let next = 0;
  const text = stringOf(template, 'States.Format').replace(
    /\\([\\{}'])|\{\}/g,
    (found, escaped: string | undefined) => {
      if (escaped !== undefined) return escaped;
      if (next >= values.length) return invalid('States.Format');
      if (found !== '{}') return found;
      const value = textOf(values[next++]!);
      budget.produce(value.length);
      return value;
    },
  );
  if (next < values.length) invalid('States.Format');
  return text;
}

function parsed(text: string): Json {
  try {
    return parseJson(text) as Json;
  } catch {
    return invalid('States.StringToJson');
  }
}

function unique(items: Json[], budget: WorkBudget): Json[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = canonicalJson(item, budget);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

type Intrinsic = (args: Json[], env: Environment, budget: WorkBudget) => Json;

/**
 * Intrinsic functions.
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/intrinsic-functions.html
 */
const FUNCTIONS: Record<string, { least: number; most: number; run: Intrinsic }> = {
  'States.Format': { least: 1, most: Number.POSITIVE_INFINITY, run: format },
  'States.StringToJson': {
    least: 1,
    most: 1,
    run: ([text]) => parsed(stringOf(text, 'States.StringToJson')),
  },
  'States.JsonToString': { least: 1, most: 1, run: ([value], _env, budget) => sized(JSON.stringify(value), budget) },
  'States.Array': { least: 0, most: Number.POSITIVE_INFINITY, run: (args) => args },
  'States.ArrayPartition': {
    least: 2,
    most: 2,
    run([items, size]) {
      const count = integerOf(size, 'States.ArrayPartition');
      if (count < 1) invalid('States.ArrayPartition');
      return partitionOf(arrayOf(items, 'States.ArrayPartition'), count);
    },
  },
  'States.ArrayContains': {
    least: 2,
    most: 2,
    run: ([items, value], _env, budget) =>
      arrayOf(items, 'States.ArrayContains').some((item) => equal(item, value, budget)),
  },
  'States.ArrayRange': {
    least: 3,
    most: 3,
    run: ([first, last, step]) =>
      rangeOf(
        integerOf(first, 'States.ArrayRange'),
        integerOf(last, 'States.ArrayRange'),
        integerOf(step, 'States.ArrayRange'),
      ) ?? invalid('States.ArrayRange'),
  },
  'States.ArrayGetItem': {
    least: 2,
    most: 2,
    run: ([items, index]) =>
      arrayOf(items, 'States.ArrayGetItem')[integerOf(index, 'States.ArrayGetItem')] ?? invalid('States.ArrayGetItem'),
  },
  'States.ArrayLength': { least: 1, most: 1, run: ([items]) => arrayOf(items, 'States.ArrayLength').length },
  'States.ArrayUnique': {
    least: 1,
    most: 1,
    run: ([items], _env, budget) => unique(arrayOf(items, 'States.ArrayUnique'), budget),
  },
  'States.Base64Encode': {
    least: 1,
    most: 1,
    run: ([text]) => Buffer.from(limited(text, 'States.Base64Encode')).toString('base64'),
  },
  'States.Base64Decode': {
    least: 1,
    most: 1,
    run: ([text]) => Buffer.from(limited(text, 'States.Base64Decode'), 'base64').toString(),
  },
  'States.Hash': {
    least: 2,
    most: 2,
    run: ([value, algorithm]) => hashOf(textOf(value!), stringOf(algorithm, 'States.Hash')) ?? invalid('States.Hash'),
  },
  'States.JsonMerge': {
    least: 3,
    most: 3,
    run([left, right, deep]) {
      if (!isObject(left) || !isObject(right) || deep !== false) return invalid('States.JsonMerge');
      return { ...left, ...right };
    },
  },
  'States.MathRandom': {
    least: 2,
    most: 3,
    run([from, to, seed], { ids }) {
      const first = integerOf(from, 'States.MathRandom');
      const last = integerOf(to, 'States.MathRandom');
      if (first >= last) invalid('States.MathRandom');
      const part = seed === undefined ? ids.random() : seededRandom(integerOf(seed, 'States.MathRandom'));
      return first + Math.floor(part * (last - first));
    },
  },
  'States.MathAdd': {
    least: 2,
    most: 2,
    run: ([left, right]) => integerOf(left, 'States.MathAdd') + integerOf(right, 'States.MathAdd'),
  },
  'States.StringSplit': {
    least: 2,
    most: 2,
    run([text, delimiters]) {
      const marks = new Set(stringOf(delimiters, 'States.StringSplit'));
      const parts = [''];
      for (const char of stringOf(text, 'States.StringSplit'))
        if (marks.has(char)) parts.push('');
        else parts[parts.length - 1] += char;
      return parts.filter((part) => part !== '');
    },
  },
  'States.UUID': { least: 0, most: 0, run: (_args, { ids }) => ids.uuid() },
};

function sized(text: string, budget: WorkBudget): string {
  budget.produce(text.length);
  return text;
}

const limited = (value: Json | undefined, name: string): string => {
  const text = stringOf(value, name);
  return text.length > MAX_TEXT ? invalid(name) : text;
};

/** Valid escapes in texts of an expression. */
const ESCAPES = new Set(["'", '{', '}', '\\', '"', 'n', 't', 'r', 'b', 'f', '/']);

const NAME = /States\.\w+/y;
const LITERAL = /(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[\s,)])/y;

class Parser {
  private at = 0;
  private readonly budget = new WorkBudget({ depth: MAX_NESTED });
  constructor(private readonly text: string) {}

  parse(): Expression {
    const expression = this.whole();
    this.space();
    if (this.at !== this.text.length) this.fail();
    return expression;
  }

  private whole(): Expression {
    try {
      return this.call();
    } catch (error) {
      if (error instanceof WorkLimitError) this.fail();
      throw error;
    }
  }

  private fail(): never {
    throw new ExpressionSyntaxError(this.text);
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }

  /** Returns the text that matches at the position. */
  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0];
  }

  private call(): Expression {
    return this.budget.nested(() => this.function());
  }

  private function(): Expression {
    const name = this.match(NAME) ?? this.fail();
    const declared = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name]! : this.fail();
    this.at += name.length;
    this.space();
    if (this.text[this.at++] !== '(') this.fail();
    const args: Expression[] = [];
    this.space();
    if (this.text[this.at] === ')') this.at++;
    else
      for (;;) {
        args.push(this.argument());
        this.space();
        const mark = this.text[this.at++];
        if (mark === ')') break;
        if (mark !== ',') this.fail();
      }
    if (args.length < declared.least || args.length > declared.most) this.fail();
    return { kind: 'call', name, args };
  }

  private argument(): Expression {
    this.space();
    const char = this.text[this.at];
    if (char === "'") return { kind: 'value', value: this.quoted() };
    if (char === '$') return { kind: 'path', path: this.path() };
    const literal = this.match(LITERAL);
    if (literal === undefined) return this.call();
    this.at += literal.length;
    return { kind: 'value', value: parseJson(literal) as Json };
  }

  private quoted(): string {
    let value = '';
    for (this.at++; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!;
      if (char === "'") {
        this.at++;
        return value;
      }
      if (char !== '\\') {
        value += char;
        continue;
      }
      const escaped = this.text[++this.at] ?? this.fail();
      if (!ESCAPES.has(escaped)) this.fail();
      // Braces stay escaped for States.Format, in which a pair of braces is a placeholder.
      value += escaped === '{' || escaped === '}' || escaped === '\\' ? `\\${escaped}` : unescaped(escaped);
    }
    return this.fail();
  }

  /** Reads a path up to the end of the argument: a comma or parenthesis outside the path. */
  private path(): string {
    const start = this.at;
    let depth = 0;
    let quote: string | undefined;
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!;
      if (quote !== undefined) {
        if (char === '\\') this.at++;
        else if (char === quote) quote = undefined;
      } else if (char === "'" || char === '"') quote = char;
      else if (char === '[' || char === '(') depth++;
      else if (char === ']' || (char === ')' && depth > 0)) depth--;
      else if (depth === 0 && (char === ',' || char === ')')) break;
    }
    return this.text.slice(start, this.at).trim();
  }
}

const unescaped = (char: string): string => {
  const found = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[char];
  return found ?? char;
};

/**
 * Parses an expression that starts with `States.`.
 * @throws ExpressionSyntaxError
 */
export const parseIntrinsic = (text: string): Expression => new Parser(text).parse();

/**
 * Evaluates an expression.
 * @throws StateFailure `States.IntrinsicFailure`
 */
export function evaluateIntrinsic(text: string, env: Environment): Json {
  try {
    return evaluate(parseIntrinsic(text), env, new WorkBudget({ ...LIMITS, within: env.work }), true);
  } catch (error) {
    if (error instanceof WorkLimitError) throw intrinsicFailure(error.message);
    throw error;
  }
}

/** Unescapes braces: only States.Format gives them a meaning. */
const plain = (value: Json): Json =>
  typeof value === 'string' ? value.replace(/\\([\\{}])/g, (_, char: string) => char) : value;

function evaluate(expression: Expression, env: Environment, budget: WorkBudget, first = false): Json {
  if (expression.kind === 'value') return first ? expression.value : plain(expression.value);
  if (expression.kind === 'path') {
    const found = follow(expression.path, env);
    if (found.found) return found.value;
    throw intrinsicFailure(
      `The JsonPath argument for the field '${expression.path}' could not be found in the input '${JSON.stringify(env.input)}'`,
    );
  }
  const { name, args } = expression;
  const isFormat = name === 'States.Format';
  const values = args.map((arg, index) => evaluate(arg, env, budget, isFormat && index === 0 && arg.kind === 'value'));
  for (const value of values) if (typeof value === 'string') budget.produce(value.length);
  return FUNCTIONS[name]!.run(values, env, budget);
}
