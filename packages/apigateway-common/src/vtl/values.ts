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

/** Maximum nesting depth of printed values: a list may contain itself. Java's stack ends as well. */
const MAX_DEPTH = 200;

/**
 * Prints a value as Java does, except arrays of JSON documents, which are printed as JSON.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
 * @throws TemplateError for values that are nested too deeply or make a text that is too long
 */
export function javaText(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new TemplateError('The template prints a value that is nested too deeply.');
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (value instanceof TemplateObject) return value.text();
  if (value instanceof JavaList) return joined('[', value, (item) => innerText(item, depth + 1), ']');
  if (Array.isArray(value)) return bounded(jsonText(value));
  if (isMap(value))
    return joined('{', Object.entries(value), ([key, one]) => `${key}=${innerText(one, depth + 1)}`, '}');
  return String(value);
}

const innerText = (value: unknown, depth: number): string =>
  value === null || value === undefined ? 'null' : javaText(value, depth);

/** Prints items with commas. The length is checked for each, since items may repeat each other. */
function joined<T>(open: string, items: readonly T[], print: (item: T) => string, close: string): string {
  let text = open;
  items.forEach((item, index) => {
    text = bounded(`${text}${index === 0 ? '' : ', '}${print(item)}`);
  });
  return text + close;
}

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

/** Returns a value as JSON. @throws TemplateError for a value that contains itself */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new TemplateError('The template prints a value that is not JSON.');
  }
}
