import { isObject } from '@emu/wire';
import type { SamProblem } from './errors.ts';
import type { Obj } from './values.ts';

/** Makes what is wrong with a part of a template of the words that say it. */
export type Say = (problem: string) => SamProblem;

/** The value as an object. @param name of the property, with what it is in @throws SamProblem where it is none */
export function mapOf(value: unknown, name: string, say: Say): Obj {
  if (!isObject(value)) throw say(value === undefined ? `Property '${name}' is required.` : should(name, 'map'));
  return value;
}

/** The value as a text. @throws SamProblem where it is none */
export function textOf(value: unknown, name: string, say: Say): string {
  if (value === undefined || value === null) throw say(`Property '${name}' is required.`);
  if (typeof value !== 'string') throw say(should(name, 'string'));
  return value;
}

/** Says that a property is of another type than it is to be. @param type as `map`, `list`, `string` or `boolean` */
export const should = (name: string, type: string): string => `Property '${name}' should be a ${type}.`;
