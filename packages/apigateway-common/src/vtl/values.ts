import { isObject } from '@emu/wire';
import { TemplateError } from './parse.ts';

/** A list that a template makes: Java's `ArrayList`, which is not printed as the arrays of JSON are. */
export class JavaList extends Array<unknown> {
  static override of<T>(...items: T[]): JavaList & T[] {
    const list = new JavaList() as JavaList & T[];
    for (const item of items) list.push(item);
    return list;
  }
}

/** Something of ours that templates may look into: its methods and properties are all that there is. */
export abstract class TemplateObject {
  /** The value of a property; undefined where there is none. */
  property(_name: string): unknown {
    return undefined;
  }
  /** What a method returns; undefined where there is none. */
  method(_name: string, _args: readonly unknown[]): unknown {
    return undefined;
  }
  /** How it is printed. */
  text(): string {
    return '';
  }
}

/** Whether a value is a map of Java's: an object of JSON, or one that a template made. */
export const isMap = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !(value instanceof TemplateObject);

/** Most characters of a value that a template makes, and of its output: more than any body that API Gateway takes. */
export const MOST_TEXT = 12 * 1024 * 1024;

/** The same text, where it is not too long. @throws TemplateError */
export function bounded(text: string): string {
  if (text.length > MOST_TEXT) throw new TemplateError('The template makes a text that is too long.');
  return text;
}

/**
 * How a value is printed: as Java prints it, but the arrays of JSON documents as JSON.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
 */
export function javaText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (value instanceof TemplateObject) return value.text();
  if (value instanceof JavaList) return bounded(`[${Array.from(value, innerText).join(', ')}]`);
  if (Array.isArray(value)) return bounded(JSON.stringify(value));
  if (isMap(value)) {
    const entries = Object.entries(value).map(([key, one]) => `${key}=${innerText(one)}`);
    return bounded(`{${entries.join(', ')}}`);
  }
  return String(value);
}

const innerText = (value: unknown): string => (value === null || value === undefined ? 'null' : javaText(value));

/** Whether a condition holds: everything does but null and false. */
export const holds = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** Whether two values are equal to a template. */
export function same(left: unknown, right: unknown): boolean {
  const [a, b] = [left ?? null, right ?? null];
  if (a === b) return true;
  // Nothing is as good as an empty text.
  if (a === null || b === null) return a === '' || b === '';
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  return javaText(a) === javaText(b);
}
