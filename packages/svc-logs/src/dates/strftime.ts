import { formatDate } from './java-patterns.ts';

/** Java patterns for strftime letters. */
const PATTERNS: Readonly<Record<string, string>> = {
  a: 'EEE',
  A: 'EEEE',
  b: 'MMM',
  B: 'MMMM',
  d: 'dd',
  D: 'MM/dd/yy',
  e: 'd',
  f: 'SSSSSS',
  F: 'yyyy-MM-dd',
  h: 'MMM',
  H: 'HH',
  I: 'hh',
  j: 'DDD',
  k: 'H',
  l: 'h',
  L: 'SSS',
  m: 'MM',
  M: 'mm',
  p: 'a',
  R: 'HH:mm',
  S: 'ss',
  T: 'HH:mm:ss',
  y: 'yy',
  Y: 'yyyy',
  z: 'Z',
  Z: 'z',
};

/**
 * Formats a time with an strftime format.
 * @param time epoch milliseconds
 */
export const strftime = (time: number, format: string, zone: string): string =>
  format.replace(/%([A-Za-z%])/g, (whole, letter: string) => {
    if (letter === '%') return '%';
    if (letter === 's') return String(Math.floor(time / 1000));
    const pattern = PATTERNS[letter];
    return pattern === undefined ? whole : formatDate(time, pattern, zone);
  });
