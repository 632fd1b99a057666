import type { CSV, Grok, ParseJSON, ParseKeyValue } from '@emu/service-types/logs';
import { isObject } from '@emu/wire';
import { parse } from 'csv-parse/sync';
import { type EventDocument, type JsonObject, TransformError } from './document.ts';
import { compileGrok } from './grok.ts';
import { readJson } from './vended.ts';

/**
 * A compiled processor.
 * @throws TransformError if it does not apply to the event
 */
export type Processing = (document: EventDocument) => void;

const MESSAGE = '@message';

export function parseJSON({ source = MESSAGE, destination }: ParseJSON): Processing {
  return (document) => {
    const parsed = readJson(document.text(source));
    if (isObject(parsed)) document.merge(parsed, destination);
    else if (destination !== undefined) document.set(destination, parsed);
    else throw new TransformError('The text is not a JSON object');
  };
}

/** Leaves the event unchanged if the pattern does not match. */
export function grok({ source = MESSAGE, match }: Grok): Processing {
  const extract = compileGrok(match);
  return (document) => {
    const found = extract(document.text(source));
    if (!found) throw new TransformError('The pattern does not match');
    for (const [path, value] of found) document.set(path, value);
  };
}

const DELIMITERS: Readonly<Record<string, string>> = { '\\t': '\t', '\\s': ' ' };

export function csv({
  source = MESSAGE,
  destination,
  columns,
  delimiter = ',',
  quoteCharacter = '"',
}: CSV): Processing {
  const options = { delimiter: DELIMITERS[delimiter] ?? delimiter, quote: quoteCharacter, relax_column_count: true };
  return (document) => {
    let row: string[] | undefined;
    try {
      [row] = parse(document.text(source), { ...options, to_line: 1 }) as string[][];
    } catch {
      throw new TransformError('The text is not valid CSV');
    }
    if (!row) throw new TransformError('The text is not valid CSV');
    const prefix = destination === undefined ? '' : `${destination}.`;
    for (const [index, value] of row.entries())
      document.set(`${prefix}${columns?.[index] ?? `column_${index + 1}`}`, value);
  };
}

export function parseKeyValue(settings: ParseKeyValue): Processing {
  const { source = MESSAGE, destination, fieldDelimiter = '&', keyValueDelimiter = '=' } = settings;
  const { keyPrefix = '', nonMatchValue, overwriteIfExists = false } = settings;
  return (document) => {
    const fields: JsonObject = {};
    for (const pair of document.text(source).split(fieldDelimiter)) {
      const at = pair.indexOf(keyValueDelimiter);
      const key = (at < 0 ? pair : pair.slice(0, at)).trim();
      const value = at < 0 ? nonMatchValue : pair.slice(at + keyValueDelimiter.length);
      if (key === '' || value === undefined) continue;
      const path = (destination === undefined ? '' : `${destination}.`) + keyPrefix + key;
      if (overwriteIfExists || !document.has(path)) fields[keyPrefix + key] = value;
    }
    document.merge(fields, destination);
  };
}
