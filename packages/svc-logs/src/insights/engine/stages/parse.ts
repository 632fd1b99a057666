import type { LinearRegex } from '@emu/core/regex';
import type { Compiled } from '../functions/function.ts';
import { scalarText, type Value } from '../values.ts';
import { type MakeStage, perRow } from './stage.ts';

/** Captures of a match: by number from one, or by name. */
interface Captures {
  readonly [group: number]: string | undefined;
  readonly groups?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Finds captures in a text. */
interface Capturing {
  exec(text: string): Captures | null;
}

/** Compiles a glob: asterisks capture as little text as possible, except one at the end. */
export function globOf(pattern: string): Capturing {
  const pieces = pattern.split('*');
  return {
    exec(text) {
      const captures: string[] = [''];
      let end = -1;
      for (const [index, piece] of pieces.entries()) {
        const isRest = piece === '' && index === pieces.length - 1;
        const found = isRest ? text.length : text.indexOf(piece, Math.max(end, 0));
        if (found < 0) return null;
        if (index > 0) captures.push(text.slice(end, found));
        end = found + piece.length;
      }
      return captures;
    },
  };
}

/** Stores captures of a regular expression in columns; rows without a match lack them. */
export const captureStage = (
  of: Compiled,
  regex: Capturing,
  columns: readonly { slot: number; group: string | number }[],
): MakeStage =>
  perRow((row, next) => {
    const text = scalarText(of.evaluate(row));
    const match = text === undefined ? null : regex.exec(text);
    for (const { slot, group } of columns)
      row.values[slot] = match ? (typeof group === 'number' ? match[group] : match.groups?.[group]) : undefined;
    next.push(row);
  });

/** Creates one row per match of a regular expression. */
export const multiStage = (
  of: Compiled,
  regex: LinearRegex,
  columns: readonly { slot: number; group: string | number }[],
): MakeStage =>
  perRow((row, next) => {
    const matches = [...regex.matchAll(scalarText(of.evaluate(row)) ?? '')];
    if (!matches.length) next.push(row);
    for (const match of matches) {
      const copy = row.copy();
      for (const { slot, group } of columns)
        copy.values[slot] = typeof group === 'number' ? match[group] : match.groups?.[group];
      next.push(copy);
    }
  });

const PAIR = /([^\s=]+)(?:=("(?:[^"\\]|\\.)*"|\S*))?/g;

/** Parses logfmt, `key=value key="a text"`, into a map. */
export const logfmtStage = (of: Compiled, slot: number): MakeStage =>
  perRow((row, next) => {
    const text = scalarText(of.evaluate(row));
    row.values[slot] = text === undefined ? undefined : logfmt(text);
    next.push(row);
  });

function logfmt(text: string): Value {
  const pairs: Record<string, string> = {};
  for (const [, key, value = ''] of text.matchAll(PAIR))
    pairs[key!] = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
  return pairs;
}
