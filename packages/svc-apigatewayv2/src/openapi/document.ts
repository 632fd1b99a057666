import { versionText, withVariables } from '@emu/apigateway-common';
import { parseApiDefinition } from '@emu/core/yaml';
import { isObject, parseJson, refuseCrowded } from '@emu/wire';
import { badRequest } from '../errors.ts';

/** An object of a document. */
export type Node = Readonly<Record<string, unknown>>;

/** Maximum number of resolved YAML aliases, since a document could grow without bound. */
const MAX_ALIASES = 100;

/** Returns a member as an object; empty for other values. */
export const nodeOf = (value: unknown): Node => (isObject(value) ? value : {});

/** Returns a member as text. */
export const memberText = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : String(value);

/** Returns a member as a list of text. */
export const textsOf = (value: unknown): string[] | undefined => (Array.isArray(value) ? value.map(String) : undefined);

/** Returns a member as a map of text. */
export const mapOf = (value: unknown): Record<string, string> | undefined =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)])) : undefined;

/**
 * Parses an OpenAPI 3 document in JSON or YAML, and resolves its AWS variables.
 * @throws AwsError `BadRequestException`, also for too many values
 */
export function readDocument(given: string, place: { accountId: string; region: string }): Node {
  const text = withVariables(given, place);
  const isJson = text.trimStart().startsWith('{');
  refuseCrowded(text, isJson ? 'json' : 'yaml');
  let document: unknown;
  try {
    document = isJson ? parseJson(text) : parseApiDefinition(text, MAX_ALIASES);
  } catch (error) {
    throw badRequest(`Unable to parse the API definition: ${(error as Error).message.split('\n')[0]}`);
  }
  if (!isObject(document)) throw badRequest('Unable to parse the API definition: it is not an object');
  const version = versionText(document.openapi);
  if (version === undefined || !/^3\.\d+(?:\.\d+)?$/.test(version))
    throw badRequest('Invalid OpenAPI version: HTTP APIs are imported from OpenAPI 3.0 definitions');
  return document;
}

/**
 * Resolves a local reference; returns other values unchanged.
 * @throws AwsError `BadRequestException`
 */
export function resolved(document: Node, value: unknown): unknown {
  const reference = isObject(value) ? value.$ref : undefined;
  if (typeof reference !== 'string') return value;
  if (!reference.startsWith('#/')) throw badRequest(`Unable to resolve the reference ${reference}`);
  let found: unknown = document;
  for (const part of reference.slice(2).split('/'))
    found = nodeOf(found)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  if (found === undefined || (isObject(found) && found.$ref !== undefined))
    throw badRequest(`Unable to resolve the reference ${reference}`);
  return found;
}
