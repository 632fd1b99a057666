import { jsonSyntaxError } from '@emu/core/patterns';
import { exceedsBytes } from '@emu/core/service';
import { parseYamlDocument } from '@emu/core/yaml';
import type { DocumentFormat } from '@emu/service-types/ssm';
import { AwsError, isObject, parseJson } from '@emu/wire';
import { stringify } from 'yaml';
import { ssmError } from '../errors.ts';
import { invalidContent } from './errors.ts';

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/** Returns the objects in a JSON list; empty if the value is not a list. */
export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter((item) => isObject(item)) : [];

/** Maximum bytes of a document. */
const MAX_SIZE = 64 * 1024;
/** Maximum nesting depth of a document. */
const MAX_NESTING = 200;

function nesting(value: Json, depth = 0): number {
  if (depth > MAX_NESTING || typeof value !== 'object' || value === null) return depth;
  let deepest = depth;
  for (const item of Object.values(value)) deepest = Math.max(deepest, nesting(item, depth + 1));
  return deepest;
}

function readJson(text: string): Json {
  try {
    return parseJson(text) as Json;
  } catch {
    const [, line = '1', column = '1'] = /line: (\d+), column: (\d+)\]\s*$/.exec(jsonSyntaxError(text) ?? '') ?? [];
    throw invalidContent(`JSON not well-formed. at Line: ${line}, Column: ${column}`);
  }
}

function parseYaml(text: string): Json {
  try {
    const document = parseYamlDocument(text, { merge: true, prettyErrors: true });
    const [problem] = document.errors;
    if (problem) {
      const { line, col } = problem.linePos?.[0] ?? { line: 1, col: 1 };
      throw invalidContent(`YAML not well-formed. at Line: ${line}, Column: ${col}`);
    }
    // YAML types without a JSON form, such as timestamps, become text.
    return JSON.parse(JSON.stringify(document.toJS()) ?? 'null') as Json;
  } catch (error) {
    if (error instanceof AwsError) throw error;
    throw invalidContent('YAML not well-formed. at Line: 1, Column: 1');
  }
}

/**
 * Checks the size of a document.
 * @throws AwsError `MaxDocumentSizeExceeded`
 */
export function checkSize(text: string): void {
  if (exceedsBytes(text, MAX_SIZE)) throw ssmError('MaxDocumentSizeExceeded', 'The size limit of a document is 64 KB.');
}

/**
 * Parses a JSON or YAML object.
 * @throws AwsError `InvalidDocumentContent`
 */
export function parseContent(text: string, format: Exclude<DocumentFormat, 'TEXT'>): JsonObject {
  const value = format === 'YAML' ? parseYaml(text) : readJson(text);
  if (!isObject(value) || nesting(value) > MAX_NESTING)
    throw invalidContent(`${format} not well-formed. at Line: 1, Column: 1`);
  return value;
}

/** Converts text to another format; plain text is unchanged. */
export function convertContent(text: string, from: DocumentFormat, to: DocumentFormat): string {
  if (from === to || from === 'TEXT' || to === 'TEXT') return text;
  const value = parseContent(text, from);
  return to === 'YAML' ? stringify(value) : JSON.stringify(value, null, 2);
}
