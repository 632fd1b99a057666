import { parseJson } from '@emu/wire';
import { numberText } from './text.ts';

/** A number that AWS formats with a decimal point, even for integers. */
export class Double {
  constructor(readonly value: number) {}
}

/** JSON text to insert unchanged, if any. */
export class Raw {
  constructor(readonly text: string) {}
}

/** Formats JSON like AWS's alarms: without spaces, and with a decimal point in numbers that are not counts. */
export function jsonText(value: unknown): string {
  if (value instanceof Double) return numberText(value.value);
  if (value instanceof Raw) return isJson(value.text) ? value.text : JSON.stringify(value.text);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`).join(',')}}`;
}

/** Returns a number as `Double`; undefined stays undefined. */
export const double = (value: number | undefined): Double | undefined =>
  value === undefined ? undefined : new Double(value);

/** Whether a text is valid JSON. */
export function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
