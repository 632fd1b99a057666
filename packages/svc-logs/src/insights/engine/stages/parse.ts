import type { Compiled } from '../functions/function.ts';
import { textOf, type Value } from '../values.ts';
import { type MakeStage, perRow } from './stage.ts';

const escaped = (text: string): string => text.replace(/[\\^$.|?+()[\]{}/-]/g, '\\$&');

/** The regular expression of a glob: each asterisk takes as little as it can, one at the end everything. */
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

/** Puts what a regular expression captures into columns; where it does not match, the row lacks them. */
export const captureStage = (
  of: Compiled,
  regex: RegExp,
  columns: readonly { slot: number; group: string | number }[],
): MakeStage =>
  perRow((row, next) => {
    const text = textOf(of.evaluate(row));
    const match = text === undefined ? null : regex.exec(text);
    for (const { slot, group } of columns)
      row.values[slot] = match ? (typeof group === 'number' ? match[group] : match.groups?.[group]) : undefined;
    next.push(row);
  });

/** Makes a row of every match of a regular expression. */
export const multiStage = (
  of: Compiled,
  regex: RegExp,
  columns: readonly { slot: number; group: string | number }[],
): MakeStage =>
  perRow((row, next) => {
    const matches = [...(textOf(of.evaluate(row)) ?? '').matchAll(regex)];
    if (!matches.length) next.push(row);
    for (const match of matches) {
      const copy = row.copy();
      for (const { slot, group } of columns)
        copy.values[slot] = typeof group === 'number' ? match[group] : match.groups?.[group];
      next.push(copy);
    }
  });

const PAIR = /([^\s=]+)(?:=("(?:[^"\\]|\\.)*"|\S*))?/g;

/** Reads logfmt, `key=value key="a text"`, into a map. */
export const logfmtStage = (of: Compiled, slot: number): MakeStage =>
  perRow((row, next) => {
    const text = textOf(of.evaluate(row));
    row.values[slot] = text === undefined ? undefined : logfmt(text);
    next.push(row);
  });

function logfmt(text: string): Value {
  const pairs: Record<string, string> = {};
  for (const [, key, value = ''] of text.matchAll(PAIR))
    pairs[key!] = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
  return pairs;
}
