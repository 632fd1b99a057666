import { isObject } from '@emu/wire';
import { raw } from 'jq-wasm';

/** Records for a query: a line of JSON each. */
export interface JqInput {
  readonly query: string;
  readonly lines: readonly string[];
}

/** Objects that the query returns, undefined for other results; or that jq cannot compile it. */
export type JqOutput = { readonly objects: (Record<string, unknown> | undefined)[] } | { readonly invalid: true };

/** Reads each line as text first, so that invalid JSON fails only its record. */
const wrapped = (query: string): string => `def query: ${query}\n; try [fromjson | query] catch null`;

/** Evaluates a query for each line; without lines, only compiles it. */
export async function runJq({ query, lines }: JqInput): Promise<JqOutput> {
  let output: string;
  try {
    output = await raw(lines.map((line) => `${line}\n`).join(''), wrapped(query), ['-R', '-c']);
  } catch {
    return { invalid: true };
  }
  return { objects: output.split('\n').slice(0, lines.length).map(objectIn) };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  const outputs = JSON.parse(text) as unknown[] | null;
  const [value] = outputs ?? [];
  return isObject(value) ? value : undefined;
}
