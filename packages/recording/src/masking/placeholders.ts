import { RegexError, WholeRegex } from '@emu/core/regex';
import type { Shape } from '@emu/wire';

/** Digits of a number in a placeholder. */
const DIGITS = 6;
/** Length of an account id. */
const ACCOUNT_DIGITS = 12;

/** Forms of a secret's placeholder, the most recognisable first. The first satisfies the password policies of services. */
const SECRET_FORMS: readonly ((number: string) => string)[] = [
  (number) => `{{Secret:${number}}}`,
  (number) => `Secret-${number}`,
  (number) => `Secret${number}`,
  (number) => `secret${number}`,
  (number) => `SECRET${number}`,
  (number) => number,
];

const numbered = (number: number): string => String(number).padStart(DIGITS, '0');

/**
 * Returns the placeholder of a secret in a form that its shape admits: by its length, pattern and values. Without such a form,
 * the first one.
 * @param number of the secret in its file
 */
export function secretPlaceholder(number: number, shape?: Shape): string {
  const text = numbered(number);
  const [first] = SECRET_FORMS;
  if (!shape) return first!(text);
  const pattern = patternOf(shape);
  for (const form of SECRET_FORMS)
    for (const fill of ['x', '0']) {
      const candidate = form(text).padEnd(shape.min ?? 0, fill);
      if (candidate.length <= (shape.max ?? Number.POSITIVE_INFINITY) && (!pattern || pattern.test(candidate)))
        return candidate;
    }
  return first!(text);
}

const patterns = new WeakMap<Shape, WholeRegex | null>();

/** Returns the pattern of a shape; undefined without one, and for one of another dialect. It matches only placeholders. */
function patternOf(shape: Shape): WholeRegex | undefined {
  let pattern = patterns.get(shape);
  if (pattern === undefined) {
    try {
      pattern = shape.pattern === undefined ? null : new WholeRegex(shape.pattern);
    } catch (error) {
      if (!(error instanceof RegexError)) throw error;
      pattern = null;
    }
    patterns.set(shape, pattern);
  }
  return pattern ?? undefined;
}

/** Returns the placeholder of an account id: 12 digits. */
export const accountPlaceholder = (number: number): string => String(number).padStart(ACCOUNT_DIGITS, '0');

/** Returns the placeholder of an e-mail address. */
export const emailPlaceholder = (number: number): string => `masked-${number}@example.com`;

/** Returns the placeholder of an access key id, or another unique id of IAM: its prefix, then digits. */
export const keyIdPlaceholder = (prefix: string, number: number, length: number): string =>
  prefix + String(number).padStart(length - prefix.length, '0');
