import { isObject } from '@emu/wire';

/** Returns a value as in SAM's messages: Python's representation, top-level texts without quotes. */
export const printed = (value: unknown): string => (typeof value === 'string' ? value : literal(value));

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([name, inner]) => `${literal(name)}: ${literal(inner)}`)
      .join(', ')}}`;
  if (typeof value === 'string') return value.includes("'") && !value.includes('"') ? `"${value}"` : `'${value}'`;
  if (value === null || value === undefined) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value);
}

/** Returns Python's name of a value's type. */
export function pythonType(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'str' : 'dict';
}
