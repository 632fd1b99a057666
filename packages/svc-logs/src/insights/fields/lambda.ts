import { endOfBrackets } from '../../json-text.ts';
import type { Value } from '../engine/values.ts';

/** A function's log event, after its request id. */
const REQUEST = /\b(?:RequestId: |\t)([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/;
const PLATFORM = /^(START|END|REPORT) RequestId: /;
const MEGABYTE = 1_000_000;

/** Values of a REPORT line by field name. */
const REPORTED: readonly (readonly [string, RegExp, number])[] = [
  ['@duration', /\tDuration: ([\d.]+) ms/, 1],
  ['@billedDuration', /\tBilled Duration: ([\d.]+) ms/, 1],
  ['@initDuration', /\tInit Duration: ([\d.]+) ms/, 1],
  ['@restoreDuration', /\tRestore Duration: ([\d.]+) ms/, 1],
  ['@memorySize', /\tMemory Size: (\d+) MB/, MEGABYTE],
  ['@maxMemoryUsed', /\tMax Memory Used: (\d+) MB/, MEGABYTE],
];
const TRACED: readonly (readonly [string, RegExp])[] = [
  ['@xrayTraceId', /XRAY TraceId: (\S+)/],
  ['@xraySegmentId', /SegmentId: (\S+)/],
];

/** Whether a log group belongs to a Lambda function. */
export const isLambda = (group: string, message: string): boolean =>
  group.startsWith('/aws/lambda/') || PLATFORM.test(message);

/** Returns the fields of a function's message, and of the first JSON fragment in it. */
export function lambdaFields(message: string): { fields: Map<string, Value>; json: string | undefined } {
  const fields = new Map<string, Value>();
  const type = PLATFORM.exec(message)?.[1];
  const request = REQUEST.exec(message)?.[1];
  if (type !== undefined) fields.set('@type', type);
  if (request !== undefined) fields.set('@requestId', request);
  if (type === 'REPORT') {
    for (const [name, pattern, unit] of REPORTED) {
      const found = pattern.exec(message)?.[1];
      if (found !== undefined) fields.set(name, asDouble(Number(found) * unit));
    }
    for (const [name, pattern] of TRACED) {
      const found = pattern.exec(message)?.[1];
      if (found !== undefined) fields.set(name, found);
    }
  }
  return { fields, json: type === undefined ? firstObject(message) : undefined };
}

/** Formats a number like a Java double, as results show it: `100.0`, `1.28E8`. */
function asDouble(value: number): string {
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -3 && exponent < 7) return Number.isInteger(value) ? `${value}.0` : String(value);
  const digits = String(Number((value / 10 ** exponent).toPrecision(15)));
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent}`;
}

/** Returns the text from the first brace to its closing one. */
function firstObject(text: string): string | undefined {
  const start = text.indexOf('{');
  const end = start < 0 ? undefined : endOfBrackets(text, start);
  return end === undefined ? undefined : text.slice(start, end);
}
