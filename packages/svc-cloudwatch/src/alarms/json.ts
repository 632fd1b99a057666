import { numberText } from './text.ts';

/** A number that AWS writes with a point, even where there is nothing after it. */
export class Double {
  constructor(readonly value: number) {}
}

/** JSON text that is put in as it is, where it is any. */
export class Raw {
  constructor(readonly text: string) {}
}

/** JSON as AWS's alarms write it: without spaces, and with a point in numbers that are no counts. */
export function jsonText(value: unknown): string {
  if (value instanceof Double) return numberText(value.value);
  if (value instanceof Raw) return isJson(value.text) ? value.text : JSON.stringify(value.text);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`).join(',')}}`;
}

/** The same number as a `Double`; undefined stays undefined. */
export const double = (value: number | undefined): Double | undefined =>
  value === undefined ? undefined : new Double(value);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
