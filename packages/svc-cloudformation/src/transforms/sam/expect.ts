import { isObject } from '@emu/wire';
import type { SamProblem } from './errors.ts';
import type { Obj } from './values.ts';

/** Creates a problem from a message. */
export type ProblemOf = (problem: string) => SamProblem;

/**
 * Returns the value as an object.
 * @param name name of the property with its parent
 * @throws SamProblem for another type
 */
export function mapOf(value: unknown, name: string, problemOf: ProblemOf): Obj {
  if (!isObject(value)) throw problemOf(value === undefined ? `Property '${name}' is required.` : should(name, 'map'));
  return value;
}

/**
 * Returns the value as text.
 * @throws SamProblem for another type
 */
export function requiredText(value: unknown, name: string, problemOf: ProblemOf): string {
  if (value === undefined || value === null) throw problemOf(`Property '${name}' is required.`);
  if (typeof value !== 'string') throw problemOf(should(name, 'string'));
  return value;
}

/**
 * Creates the problem for a property of a wrong type.
 * @param type expected type: `map`, `list`, `string` or `boolean`
 */
export const should = (name: string, type: string): string => `Property '${name}' should be a ${type}.`;
