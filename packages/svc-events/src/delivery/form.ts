import { textOf } from '@emu/wire';

/** Naming of list elements in a form. */
export type FormArrays = 'BRACKETS' | 'COMMAS' | 'INDICES' | 'NONE' | 'REPEAT';

/**
 * Encodes a JSON value as `application/x-www-form-urlencoded`. Nested members are named `a[b]`.
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/call-https-apis.html#url-encode-request-body
 */
export function encodeForm(value: unknown, arrays: FormArrays): string {
  const pairs: string[] = [];
  const pair = (name: string, text: string): void => {
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  };
  const add = (name: string, item: unknown): void => {
    if (Array.isArray(item)) list(name, item);
    else if (typeof item === 'object' && item !== null)
      for (const [key, member] of Object.entries(item)) add(name === '' ? key : `${name}[${key}]`, member);
    else pair(name, textOf(item));
  };
  const list = (name: string, items: readonly unknown[]): void => {
    if (arrays === 'COMMAS') pair(name, items.map(textOf).join(','));
    else if (arrays === 'NONE') pair(name, JSON.stringify(items));
    else
      for (const [index, item] of items.entries())
        add(arrays === 'REPEAT' ? name : `${name}[${arrays === 'INDICES' ? index : ''}]`, item);
  };
  if (typeof value !== 'object' || value === null) return textOf(value);
  add('', value);
  return pairs.join('&');
}
