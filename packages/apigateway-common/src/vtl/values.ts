import { isObject } from '@emu/wire';
import { TemplateError } from './parse.ts';

/** A list created by a template: Java's `ArrayList`, which prints differently from JSON arrays. */
export class JavaList extends Array<unknown> {
  static override of<T>(...items: T[]): JavaList & T[] {
    const list = new JavaList() as JavaList & T[];
    for (const item of items) list.push(item);
    return list;
  }
}

/** An object that exposes only its own methods and properties to templates. */
export abstract class TemplateObject {
  /** Returns the value of a property; undefined if unknown. */
  property(_name: string): unknown {
    return undefined;
  }
  /** Returns the result of a method; undefined if unknown. */
  method(_name: string, _args: readonly unknown[]): unknown {
    return undefined;
  }
  /** Returns the printed form. */
  text(): string {
    return '';
  }
}

/** Whether a value is a Java map: a JSON object, or one created by a template. */
export const isMap = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !(value instanceof TemplateObject);

/** Maximum characters of a value created by a template, and of its output: above API Gateway's body limit. */
export const MAX_TEXT = 12 * 1024 * 1024;

/**
 * Returns text unchanged if it is within the limit.
 * @throws TemplateError
 */
export function bounded(text: string): string {
  if (text.length > MAX_TEXT) throw new TemplateError('The template makes a text that is too long.');
  return text;
}

/**
 * Prints a value as Java does, except arrays of JSON documents, which are printed as JSON.
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

/** Whether a condition is true: every value except null and false. */
export const holds = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** Whether two values are equal in templates. */
export function same(left: unknown, right: unknown): boolean {
  const [a, b] = [left ?? null, right ?? null];
  if (a === b) return true;
  // Null equals empty text.
  if (a === null || b === null) return a === '' || b === '';
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  return javaText(a) === javaText(b);
}
