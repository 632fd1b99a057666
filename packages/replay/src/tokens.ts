/**
 * Parts of a text that are replaced as a whole: UUIDs, times in ISO 8601 and of e-mails, runs of letters and digits, other
 * single characters.
 */
const TOKENS =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?|(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d:\d\d|[0-9a-z]+|[^0-9a-z]/gi;

/** Splits a text into its tokens, in linear time. */
export const tokensOf = (text: string): string[] => text.match(TOKENS) ?? [];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d|^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d\d:/i;
/** Seconds or milliseconds since the epoch, until 2128. */
const EPOCH = /^(?:\d{10}|[0-4]\d{12})$/;
const DIGITS = /^\d+$/;

/** Whether a token is a time. Times differ in each run, and are never repeated in a later request to name something. */
export const isTime = (token: string): boolean => TIME.test(token) || EPOCH.test(token);

/** Kinds of generated tokens, whose values differ in each run. */
type Kind = 'uuid' | 'account' | 'number' | 'hex' | 'id';

/** Returns the kind of a generated token; undefined for a word that somebody may have chosen. */
function kindOf(token: string): Kind | undefined {
  if (UUID.test(token)) return 'uuid';
  if (DIGITS.test(token)) return token.length === 12 ? 'account' : token.length >= 14 ? 'number' : undefined;
  if (token.length >= 8 && /^[0-9a-f]+$/.test(token) && /\d/.test(token) && /[a-f]/.test(token)) return 'hex';
  const mixed = /[a-z]/.test(token) && /[A-Z]/.test(token.slice(1));
  if (token.length >= 6 && ((/\d/.test(token) && /[A-Za-z]/.test(token)) || mixed)) return 'id';
  return undefined;
}

/** Whether two tokens are generated values of the same kind. A hexadecimal id may look like any other. */
export function areGenerated(first: string, second: string): boolean {
  if (isTime(first) && isTime(second)) return true;
  const [one, other] = [kindOf(first), kindOf(second)];
  if (one === undefined || other === undefined) return false;
  return one === other || (one !== 'account' && other !== 'account' && first.length === second.length);
}

/** Shortest opaque text. */
const MIN_OPAQUE = 16;

/** Whether a text is an encoded value, such as a token or a receipt handle, without words that a client has chosen. */
export const isOpaque = (text: string): boolean =>
  text.length >= MIN_OPAQUE &&
  /^[A-Za-z0-9+/=_.~|:-]+$/.test(text) &&
  /\d/.test(text) &&
  /[A-Za-z]/.test(text) &&
  (UUID.test(text) || tokensOf(text).some((token) => token.length >= 12 && kindOf(token) !== undefined));

/** Whether two tokens are the random ends of a secret's ARN, which may look like words. */
const isSecretSuffix = (text: string, first: string, second: string): boolean =>
  first.length === 6 && second.length === 6 && /^arn:[^:]+:secretsmanager:/.test(text);

/** A generated part of a recorded text, and the corresponding part of another one. */
export interface TokenPair {
  recorded: string;
  actual: string;
}

/**
 * Compares two texts token by token.
 * @returns the pairs of generated tokens that differ; undefined if other parts differ
 */
export function alignTokens(recorded: string, actual: string): TokenPair[] | undefined {
  const [left, right] = [tokensOf(recorded), tokensOf(actual)];
  if (left.length !== right.length) return undefined;
  const pairs: TokenPair[] = [];
  for (let index = 0; index < left.length; index++) {
    const [first, second] = [left[index]!, right[index]!];
    if (first === second) continue;
    if (!areGenerated(first, second) && !(index === left.length - 1 && isSecretSuffix(recorded, first, second)))
      return undefined;
    pairs.push({ recorded: first, actual: second });
  }
  return pairs;
}
