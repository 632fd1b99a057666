import type { Compiled } from '../functions/function.ts';
import { scalarText, type Value } from '../values.ts';
import { type MakeStage, perRow } from './stage.ts';

const escaped = (text: string): string => text.replace(/[\\^$.|?+()[\]{}/-]/g, '\\$&');

/** Converts a glob to a regular expression: asterisks are lazy, except one at the end. */
export function globOf(pattern: string): RegExp {
  const pieces = pattern.split('*').map(escaped);
  const last = pieces.length - 1;
  const source = pieces
    .map((piece, index) => {
      if (index === last) return piece;
      return `${piece}${index === last - 1 && pieces[last] === '' ? '(.*)' : '(.*?)'}`;
    })
    .join('');
  return new RegExp(source, 's');
}

/** Stores captures of a regular expression in columns; rows without a match lack them. */
export const captureStage = (
  of: Compiled,
  regex: RegExp,
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
  regex: RegExp,
  columns: readonly { slot: number; group: string | number }[],
): MakeStage =>
  perRow((row, next) => {
    const matches = [...(scalarText(of.evaluate(row)) ?? '').matchAll(regex)];
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
