import { parseJson } from '@emu/wire';
import { isStructure, scalarText, type Value } from '../values.ts';
import { type LanguageFunction, ofTexts, ofValues } from './function.ts';

/** Parses a JSON map or list; undefined for other text. */
function parse(text: string): Value {
  try {
    const parsed: unknown = parseJson(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Value) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a value as a list, parsing JSON text. */
function listOf(value: Value): readonly unknown[] | undefined {
  const found = isStructure(value) ? value : parse(scalarText(value) ?? '');
  return Array.isArray(found) ? found : undefined;
}

/** JSON functions. */
export const json: Readonly<Record<string, LanguageFunction>> = {
  jsonparse: ofValues(1, 1, (value) => (isStructure(value) ? value : parse(scalarText(value) ?? ''))),
  jsonstringify: ofValues(1, 1, (value) => (isStructure(value) ? JSON.stringify(value) : undefined)),
  jsonarraysize: ofValues(1, 1, (value) => listOf(value)?.length),
  jsonarraycontains: ofValues(2, 2, (value, wanted) => {
    const text = scalarText(wanted);
    return listOf(value)?.some((item) => scalarText(item as Value) === text && text !== undefined) ?? false;
  }),
  split: ofTexts(2, 2, (text, delimiter) => (text === '' ? [] : text.split(delimiter))),
};
