import { bufferOf, fromBase64, toBase64, utf8 } from './bytes.ts';
import { shapeOf } from './compile.ts';
import type { AwsError } from './errors.ts';
import type { MemberModel, ServiceModel, TimestampFormat } from './model.ts';
import { formatTimestamp, parseAnyTimestamp } from './timestamps.ts';

/** Parses the text of a header, label or query parameter. @throws AwsError for text of another type */
export type TextDecoder = (text: string) => unknown;
/** Formats a value as the text of a header. @throws TypeError for an output of another shape */
export type TextEncoder = (value: unknown) => string;

const INTEGER = /^[+-]?\d{1,40}$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/;

function numberOf(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text);
  if (text === 'NaN') return Number.NaN;
  if (text === 'Infinity') return Number.POSITIVE_INFINITY;
  return text === '-Infinity' ? Number.NEGATIVE_INFINITY : undefined;
}

/**
 * Compiles the decoder of a scalar in text.
 * @param format timestamp format of the place: HTTP dates in headers, ISO 8601 in labels and query parameters
 * @param malformed error of the protocol for invalid text
 */
export function textDecoder(
  model: ServiceModel,
  member: MemberModel,
  format: TimestampFormat,
  malformed: (message: string, text: string) => AwsError,
): TextDecoder {
  const shape = shapeOf(model, member.shape);
  const refuse = (text: string, target: string): never => {
    throw malformed(`'${text}' can not be converted to ${target}`, text);
  };
  if (member.jsonvalue)
    return (text) => {
      const bytes = fromBase64(text);
      const json = typeof bytes === 'string' ? undefined : utf8(bytes);
      if (json === undefined) return refuse(text, 'a JSON value');
      try {
        return JSON.parse(json) as unknown;
      } catch {
        return refuse(text, 'a JSON value');
      }
    };
  switch (shape.type) {
    case 'boolean':
      return (text) => {
        const lower = text.toLowerCase();
        return lower === 'true' ? true : lower === 'false' ? false : refuse(text, 'a Boolean');
      };
    case 'integer':
    case 'long': {
      const target = shape.type === 'integer' ? 'an Integer' : 'a Long';
      const bits = shape.type === 'integer' ? 31 : 63;
      return (text) => {
        const value = INTEGER.test(text) ? Number(text) : Number.NaN;
        // The largest long is not exact in JavaScript and is represented by the next power of two.
        const fits = value >= -(2 ** bits) && (value < 2 ** bits || (bits === 63 && value === 2 ** bits));
        return fits ? value : refuse(text, target);
      };
    }
    case 'float':
    case 'double': {
      const target = shape.type === 'float' ? 'a Float' : 'a Double';
      return (text) => numberOf(text) ?? refuse(text, target);
    }
    case 'timestamp': {
      const own = member.timestampFormat ?? shape.timestampFormat ?? format;
      return (text) => parseAnyTimestamp(own, text) ?? refuse(text, 'a Timestamp');
    }
    case 'blob':
      return (text) => {
        const bytes = fromBase64(text);
        return typeof bytes === 'string' ? refuse(text, `a Blob: ${bytes}`) : bytes;
      };
    default:
      return (text) => text;
  }
}

/** Compiles the encoder of a scalar as the text of a header. */
export function textEncoder(model: ServiceModel, member: MemberModel, format: TimestampFormat): TextEncoder {
  const shape = shapeOf(model, member.shape);
  if (member.jsonvalue) return (value) => Buffer.from(JSON.stringify(value), 'utf8').toString('base64');
  if (shape.type === 'timestamp') {
    const own = member.timestampFormat ?? shape.timestampFormat ?? format;
    return (value) => {
      if (value instanceof Date) return formatTimestamp(own, value);
      throw new TypeError(`an output has ${typeof value} where its model has a timestamp`);
    };
  }
  if (shape.type === 'blob')
    return (value) => (value instanceof Uint8Array ? toBase64(value) : Buffer.from(String(value)).toString('base64'));
  return (value) => {
    if (typeof value === 'object') throw new TypeError(`an output has an object where its model has a ${shape.type}`);
    return String(value);
  };
}

/**
 * Splits the values of a list header at its commas, except within quotes.
 * @param httpDates whether values are HTTP dates, which contain a comma each
 */
export function splitHeader(text: string, httpDates: boolean): string[] {
  if (httpDates) {
    const parts = text.split(',');
    const dates: string[] = [];
    for (let index = 0; index < parts.length; index += 2)
      dates.push(
        parts
          .slice(index, index + 2)
          .join(',')
          .trim(),
      );
    return dates;
  }
  const out: string[] = [];
  let index = 0;
  while (index <= text.length) {
    while (text[index] === ' ' || text[index] === '\t') index++;
    let value = '';
    if (text[index] === '"') {
      for (index++; index < text.length && text[index] !== '"'; index++) {
        if (text[index] === '\\' && index + 1 < text.length) index++;
        value += text[index];
      }
      const comma = text.indexOf(',', index);
      index = comma < 0 ? text.length : comma;
    } else {
      const comma = text.indexOf(',', index);
      const end = comma < 0 ? text.length : comma;
      value = text.slice(index, end).trimEnd();
      index = end;
    }
    out.push(value);
    index++;
  }
  return out;
}

/** Formats a value of a list header, quoted if ambiguous. */
export function joinable(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text;
}

// Characters that a header must not contain.
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, without those that can be sent as UTF-8
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/g;

/** Converts text to a valid header: non-ASCII characters as UTF-8 bytes, control characters as spaces. */
export function headerText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII
  if (!UNSENDABLE.test(text) && !/[^\x00-\x7f]/.test(text)) return text;
  return Buffer.from(text.replaceAll(CONTROL, ' '), 'utf8').toString('latin1');
}

/** Decodes a header's text, because node:http returns one character per byte, and clients send UTF-8. */
export function headerValue(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII
  if (!/[^\x00-\x7f]/.test(text)) return text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: more than a byte per character, so decoded already
  if (/[^\x00-\xff]/.test(text)) return text;
  return utf8(bufferOf(Buffer.from(text, 'latin1'))) ?? text;
}
