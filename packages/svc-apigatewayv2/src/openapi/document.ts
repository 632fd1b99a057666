import { isObject, refuseCrowded } from '@emu/wire';
import { parse } from 'yaml';
import { invalid } from '../errors.ts';

/** An object of a document. */
export type Node = Readonly<Record<string, unknown>>;

/** Aliases of YAML that may be resolved: a document could grow without bound by them. */
const MOST_ALIASES = 100;

/** A member as an object; an empty one where it is none. */
export const nodeOf = (value: unknown): Node => (isObject(value) ? value : {});

/** A member as text. */
export const memberText = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : String(value);

/** A member as texts. */
export const textsOf = (value: unknown): string[] | undefined => (Array.isArray(value) ? value.map(String) : undefined);

/** A member as texts by names. */
export const mapOf = (value: unknown): Record<string, string> | undefined =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)])) : undefined;

/**
 * Reads an OpenAPI 3 document of JSON or YAML.
 * @throws AwsError `BadRequestException`, and where it holds more values than emu takes apart
 */
export function readDocument(text: string): Node {
  const isJson = text.trimStart().startsWith('{');
  refuseCrowded(text, isJson ? 'json' : 'yaml');
  let document: unknown;
  try {
    document = isJson ? JSON.parse(text) : parse(text, { maxAliasCount: MOST_ALIASES });
  } catch (error) {
    throw invalid(`Unable to parse the API definition: ${(error as Error).message.split('\n')[0]}`);
  }
  if (!isObject(document)) throw invalid('Unable to parse the API definition: it is no object');
  const version = memberText(document.openapi);
  if (version === undefined || !/^3\.\d+(?:\.\d+)?$/.test(version))
    throw invalid('Invalid OpenAPI version: HTTP APIs are imported from OpenAPI 3.0 definitions');
  return document;
}

/** What a reference within the document points to; the value itself where it is no reference. @throws AwsError `BadRequestException` */
export function resolved(document: Node, value: unknown): unknown {
  const reference = isObject(value) ? value.$ref : undefined;
  if (typeof reference !== 'string') return value;
  if (!reference.startsWith('#/')) throw invalid(`Unable to resolve the reference ${reference}`);
  let found: unknown = document;
  for (const part of reference.slice(2).split('/'))
    found = nodeOf(found)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  if (found === undefined || (isObject(found) && found.$ref !== undefined))
    throw invalid(`Unable to resolve the reference ${reference}`);
  return found;
}
