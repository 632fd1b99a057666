import { javaReplacement, LinearRegex } from '@emu/core/regex';
import type {
  AddKeys,
  CopyValue,
  DateTimeConverter,
  DeleteKeys,
  ListToMap,
  LowerCaseString,
  MoveKeys,
  RenameKeys,
  SplitString,
  SubstituteString,
  TrimString,
  TypeConverter,
} from '@emu/service-types/logs';
import { isObject } from '@emu/wire';
import { formatDate, parseDate } from '../dates/java-patterns.ts';
import { type EventDocument, type Json, type JsonObject, TransformError } from './document.ts';
import type { Processing } from './parsers.ts';

/** Maximum characters of the replacements in a text. */
const MAX_REPLACED = 1_048_576;
const DEFAULT_FORMAT = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'";

export const addKeys =
  ({ entries }: AddKeys): Processing =>
  (document) => {
    for (const { key, value, overwriteIfExists } of entries) document.add(key, value, overwriteIfExists);
  };

export const deleteKeys =
  ({ withKeys }: DeleteKeys): Processing =>
  (document) => {
    for (const key of withKeys) document.delete(key);
  };

/** Moves values. A value moved into an object keeps its name. */
export const moveKeys =
  ({ entries }: MoveKeys): Processing =>
  (document) => {
    for (const { source, target, overwriteIfExists = false } of entries) {
      const value = document.get(source);
      if (value === undefined) continue;
      const path = isObject(document.get(target)) ? `${target}.${source.slice(source.lastIndexOf('.') + 1)}` : target;
      if (document.has(path) && !overwriteIfExists) continue;
      document.delete(source);
      document.set(path, value);
    }
  };

export const renameKeys =
  ({ entries }: RenameKeys): Processing =>
  (document) => {
    for (const { key, renameTo, overwriteIfExists = false } of entries) {
      const value = document.get(key);
      if (value === undefined || (document.has(renameTo) && !overwriteIfExists)) continue;
      document.delete(key);
      document.set(renameTo, value);
    }
  };

/** Keys of source metadata. */
const METADATA: Readonly<Record<string, (document: EventDocument) => string>> = {
  '@logGroupName': ({ place }) => place.group,
  '@logGroupStream': ({ place }) => place.stream,
  '@accountId': ({ place }) => place.accountId,
  '@regionName': ({ place }) => place.region,
};

export const copyValue =
  ({ entries }: CopyValue): Processing =>
  (document) => {
    for (const { source, target, overwriteIfExists } of entries) {
      const value = METADATA[source]?.(document) ?? document.get(source);
      if (value !== undefined) document.add(target, structuredClone(value), overwriteIfExists);
    }
  };

export const listToMap =
  ({ source, key, valueKey, target, flatten = false, flattenedElement = 'first' }: ListToMap): Processing =>
  (document) => {
    const list = document.get(source);
    if (!Array.isArray(list)) return;
    const lists = new Map<string, Json[]>();
    for (const item of list) {
      const name = isObject(item) ? item[key] : undefined;
      if (!isObject(item) || (typeof name !== 'string' && typeof name !== 'number')) continue;
      const value = valueKey === undefined ? item : item[valueKey];
      if (value === undefined) continue;
      const values = lists.get(String(name));
      if (values) values.push(value);
      else lists.set(String(name), [value]);
    }
    const map: JsonObject = {};
    for (const [name, values] of lists)
      map[name] = structuredClone(flatten ? values.at(flattenedElement === 'last' ? -1 : 0)! : values);
    document.merge(map, target);
  };

/** Changes the texts at some paths. */
const ofTexts =
  (paths: readonly string[], change: (text: string) => Json): Processing =>
  (document) => {
    for (const path of paths) {
      const value = document.get(path);
      if (typeof value === 'string') document.set(path, change(value));
    }
  };

export const lowerCaseString = ({ withKeys }: LowerCaseString): Processing =>
  ofTexts(withKeys, (text) => text.toLowerCase());
export const upperCaseString = ({ withKeys }: LowerCaseString): Processing =>
  ofTexts(withKeys, (text) => text.toUpperCase());
export const trimString = ({ withKeys }: TrimString): Processing => ofTexts(withKeys, (text) => text.trim());

const inSequence =
  (steps: readonly Processing[]): Processing =>
  (document) => {
    for (const step of steps) step(document);
  };

export const splitString = ({ entries }: SplitString): Processing =>
  inSequence(entries.map(({ source, delimiter }) => ofTexts([source], (text) => text.split(delimiter))));

export const substituteString = ({ entries }: SubstituteString): Processing =>
  inSequence(
    entries.map(({ source, from, to }) => {
      const regex = new LinearRegex(from);
      const replacement = javaReplacement(to);
      return ofTexts([source], (text) => {
        let size = 0;
        return regex.replaceAll(text, (match) => {
          const part = replacement(match);
          size += part.length;
          if (size > MAX_REPLACED) throw new TransformError(`The replacements in ${source} are too large`);
          return part;
        });
      });
    }),
  );

export const typeConverter =
  ({ entries }: TypeConverter): Processing =>
  (document) => {
    for (const { key, type } of entries) {
      const value = document.get(key);
      const converted = value === undefined || typeof value === 'object' ? undefined : convert(value, type);
      if (converted !== undefined) document.set(key, converted);
    }
  };

/** @returns undefined for a value that cannot be converted */
function convert(value: string | number | boolean, type: string): Json | undefined {
  if (type === 'string') return String(value);
  if (type === 'boolean') return typeof value === 'boolean' ? value : booleanOf(String(value));
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) return undefined;
  return type === 'integer' ? Math.trunc(number) : number;
}

const booleanOf = (text: string): boolean | undefined =>
  ({ true: true, false: false })[text.toLowerCase() as 'true' | 'false'];

/** Converts dates and times. The first matching pattern applies; without a match nothing is added. */
export const dateTimeConverter =
  (settings: DateTimeConverter): Processing =>
  (document) => {
    const { source, target, targetFormat = DEFAULT_FORMAT, matchPatterns, locale } = settings;
    const { sourceTimezone = 'UTC', targetTimezone = 'UTC' } = settings;
    const value = document.get(source);
    if (typeof value !== 'string' && typeof value !== 'number') return;
    for (const pattern of matchPatterns) {
      const time = parseDate(String(value), pattern, sourceTimezone, locale);
      if (time !== undefined) return document.set(target, formatDate(time, targetFormat, targetTimezone, locale));
    }
  };
