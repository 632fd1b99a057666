import { parseJson } from '@emu/wire';
import { applyPatch, type Operation, Pointer } from 'rfc6902';
import { invalid } from '../errors.ts';

/** Maximum characters of properties as JSON, as of `DesiredState`; also of everything that a patch copies. */
const MAX_PROPERTIES = 262_144;

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
  let copied = 0;
  try {
    for (const operation of operations) {
      // Copies of copies grow exponentially.
      if (operation.op === 'copy')
        copied += JSON.stringify(Pointer.fromJSON(operation.from).get(result) ?? null).length;
      if (copied > MAX_PROPERTIES)
        throw invalid(`Invalid patch document: it copies more than ${MAX_PROPERTIES} characters.`);
      const [problem] = applyPatch(result, [operation]);
      if (problem) throw invalid(`Invalid patch document: ${problem.name}: ${problem.message}`);
    }
    return parseJson(JSON.stringify(result)) as Record<string, unknown>;
  } catch (error) {
    // Thrown by functions that recurse, and by parseJson.
    if (error instanceof RangeError || error instanceof SyntaxError)
      throw invalid('Invalid patch document: the patched properties are nested too deeply.');
    throw error;
  }
}

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

function isOperation(value: unknown): value is Operation {
  const { op, path, from } = (value ?? {}) as Record<string, unknown>;
  if (typeof op !== 'string' || !OPERATIONS.includes(op)) return false;
  // The whole document is the properties object and cannot be another value.
  if (typeof path !== 'string' || !path.startsWith('/')) return false;
  return (op !== 'move' && op !== 'copy') || typeof from === 'string';
}
