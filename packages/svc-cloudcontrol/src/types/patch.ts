import { parseJson } from '@emu/wire';
import { applyPatch, type Operation } from 'rfc6902';
import { invalid } from '../errors.ts';

/**
 * Applies a patch document to properties, completely or not at all.
 * @throws AwsError `ValidationException` for an invalid patch, or one that does not match the properties
 * @see https://datatracker.ietf.org/doc/html/rfc6902
 */
export function patched(properties: Readonly<Record<string, unknown>>, document: string): Record<string, unknown> {
  let operations: unknown;
  try {
    operations = parseJson(document);
  } catch {
    throw invalid('Invalid patch document: it is not valid JSON.');
  }
  if (!Array.isArray(operations) || !operations.every(isOperation))
    throw invalid('Invalid patch document: it is not a list of patch operations.');
  const result = structuredClone(properties) as Record<string, unknown>;
  const problem = applyPatch(result, operations).find((failure) => failure !== null);
  if (problem) throw invalid(`Invalid patch document: ${problem.name}: ${problem.message}`);
  return result;
}

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

function isOperation(value: unknown): value is Operation {
  const { op, path, from } = (value ?? {}) as Record<string, unknown>;
  if (typeof op !== 'string' || !OPERATIONS.includes(op)) return false;
  // The whole document is the properties object and cannot be another value.
  if (typeof path !== 'string' || !path.startsWith('/')) return false;
  return (op !== 'move' && op !== 'copy') || typeof from === 'string';
}
