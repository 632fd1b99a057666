import { Decimal as BaseDecimal } from 'decimal.js';
import { dynamodbError } from '../errors.ts';

/**
 * DynamoDB's numbers: up to 38 significant digits, magnitudes from 1E-130 to 9.99…E+125, stored as their shortest
 * decimal string without an exponent. See "Supported data types and naming rules" of the developer guide.
 */
const Decimal = BaseDecimal.clone({ precision: 300, toExpNeg: -9e15, toExpPos: 9e15 });

const MAX_DIGITS = 38;
const MAX_EXPONENT = 125;
const MIN_EXPONENT = -130;

const PLAIN_INTEGER = /^(?:0|-?[1-9][0-9]{0,14})$/;
const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,500}))?$/;

/**
 * Returns the canonical string of a number; equal numbers have equal strings.
 * @throws AwsError `ValidationException` for text that is not a number or out of range
 */
export function canonicalNumber(text: string): string {
  if (PLAIN_INTEGER.test(text)) return text;
  const exponent = text.length > 512 ? undefined : NUMBER.exec(text);
  if (!exponent || !isLong(exponent[1]))
    throw dynamodbError(
      'ValidationException',
      text === ''
        ? 'The parameter cannot be converted to a numeric value'
        : `The parameter cannot be converted to a numeric value: ${text.slice(0, 512)}`,
    );
  const power = Number(exponent[1] ?? 0);
  if (Math.abs(power) > MAX_POWER) throw outOfRange(power > 0);
  const value = new Decimal(text.replace(/^\+/, ''));
  // A zero is checked by the exponent as written.
  if (value.isZero() && (power > MAX_EXPONENT || power < MIN_EXPONENT)) throw outOfRange(power > 0);
  return checked(value);
}

/** Larger exponents are out of range for any digits. */
const MAX_POWER = 10_000;
const LONG = 2n ** 63n;

/** Whether an exponent fits 64 bits. */
function isLong(exponent: string | undefined): boolean {
  if (exponent === undefined || exponent.length < 18) return true;
  const value = BigInt(exponent.replace('+', ''));
  return value < LONG && value >= -LONG;
}

function outOfRange(over: boolean) {
  return dynamodbError(
    'ValidationException',
    over
      ? 'Number overflow. Attempting to store a number with magnitude larger than supported range'
      : 'Number underflow. Attempting to store a number with magnitude smaller than supported range',
  );
}

/**
 * Returns the sum of two canonical numbers.
 * @throws AwsError if it is out of range
 */
export function addNumbers(left: string, right: string): string {
  if (left.length < 15 && right.length < 15 && PLAIN_INTEGER.test(left) && PLAIN_INTEGER.test(right))
    return String(Number(left) + Number(right));
  return checked(new Decimal(left).plus(right));
}

/**
 * Returns the difference of two canonical numbers.
 * @throws AwsError if it is out of range
 */
export function subtractNumbers(left: string, right: string): string {
  return addNumbers(left, right.startsWith('-') ? right.slice(1) : right === '0' ? right : `-${right}`);
}

/** Compares two canonical numbers: negative, zero or positive as the left is smaller, equal or larger. */
export function compareNumbers(left: string, right: string): number {
  if (left === right) return 0;
  if (left.length <= 15 && right.length <= 15) return Number(left) - Number(right);
  return new Decimal(left).comparedTo(right);
}

const MINUS = 0x2d;
const ZERO = 0x30;

/**
 * Returns the size of a number in bytes as DynamoDB counts it: one, plus one for a sign, plus one per two significant
 * digits, counted separately before and after the decimal point.
 */
export function numberSize(canonical: string): number {
  const sign = canonical.charCodeAt(0) === MINUS ? 1 : 0;
  const point = canonical.indexOf('.', sign);
  const end = point === -1 ? canonical.length : point;
  let from = sign;
  while (from < end && canonical.charCodeAt(from) === ZERO) from++;
  let to = end;
  if (point === -1) while (to > from && canonical.charCodeAt(to - 1) === ZERO) to--;
  let behind = end + 1;
  if (from === end) while (canonical.charCodeAt(behind) === ZERO) behind++;
  return 1 + Math.ceil((to - from) / 2) + Math.ceil(Math.max(0, canonical.length - behind) / 2) + sign;
}

/**
 * Encodes a number in bytes that sort in numeric order, with which DynamoDB places partitions: an exponent to base 100,
 * then two digits per byte; negative numbers are inverted and end with a byte above every digit.
 */
export function numberBytes(canonical: string): Uint8Array {
  if (canonical === '0') return Uint8Array.of(0x80);
  const negative = canonical.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? canonical.slice(1) : canonical).split('.');
  const all = whole + fraction;
  const leading = all.length - all.replace(/^0+/, '').length;
  const power = whole.length - leading;
  const odd = power % 2 !== 0;
  const digits = (odd ? '0' : '') + all.slice(leading).replace(/0+$/, '');
  const pairs = (digits + (digits.length % 2 ? '0' : '')).match(/../g)!.map(Number);
  const exponent = 0xc0 + (power + (odd ? 1 : 0)) / 2;
  if (!negative) return Uint8Array.from([exponent, ...pairs.map((pair) => pair + 1)]);
  return Uint8Array.from([~exponent, ...pairs.map((pair) => 101 - pair), ...(pairs.length < 20 ? [102] : [])]);
}

function checked(value: BaseDecimal): string {
  if (value.isZero()) return '0';
  if (value.e > MAX_EXPONENT || value.e < MIN_EXPONENT) throw outOfRange(value.e > 0);
  if (value.precision() > MAX_DIGITS)
    throw dynamodbError('ValidationException', 'Attempting to store more than 38 significant digits in a Number');
  return value.toFixed();
}
