import { numberOf } from '../values.ts';
import { type LanguageFunction, ofNumbers, ofValues } from './function.ts';

const MANY = Number.POSITIVE_INFINITY;
const EARTH_RADIUS = 6371;
const INT = 2 ** 31;
const LONG = 2 ** 63;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

function haversine(latitude1: number, longitude1: number, latitude2: number, longitude2: number): number {
  const north = Math.sin(radians(latitude2 - latitude1) / 2) ** 2;
  const east = Math.sin(radians(longitude2 - longitude1) / 2) ** 2;
  const chord = north + Math.cos(radians(latitude1)) * Math.cos(radians(latitude2)) * east;
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(chord));
}

/** Converts to an integer in the range of a Java type. */
const integer = (limit: number): LanguageFunction =>
  ofNumbers(1, 1, (value) => {
    const whole = Math.trunc(value);
    return whole >= -limit && whole < limit ? whole : Number.NaN;
  });

/** Numeric functions. */
export const numeric: Readonly<Record<string, LanguageFunction>> = {
  abs: ofNumbers(1, 1, Math.abs),
  ceil: ofNumbers(1, 1, Math.ceil),
  floor: ofNumbers(1, 1, Math.floor),
  greatest: ofNumbers(1, MANY, Math.max),
  least: ofNumbers(1, MANY, Math.min),
  log: ofNumbers(1, 1, Math.log),
  sqrt: ofNumbers(1, 1, Math.sqrt),
  round: ofNumbers(1, 2, (value, decimals = 0) => Math.round(value * 10 ** decimals) / 10 ** decimals),
  haversine: ofNumbers(4, 4, haversine),
  tonumber: ofValues(1, 1, (value) => {
    const number = numberOf(value);
    return Number.isNaN(number) ? undefined : number;
  }),
  toint: integer(INT),
  tolong: integer(LONG),
  todouble: ofNumbers(1, 1, (value) => value),
};
