import { tooManyValues } from './weight.ts';

/** Limit of values of a JSON document, a few bytes each, that are parsed at once. */
const MAX_IN_JSON = 800_000;
/**
 * Limit of values of a YAML document. Its parser first creates a tree of some 700 bytes per value, in a second for all
 * of them.
 */
const MAX_IN_YAML = 150_000;

/**
 * Rejects a document whose parsed form would exhaust the memory, which its size does not limit. Counts separators,
 * including those in strings. AWS's largest documents contain a third of the limit.
 * @param most limit of values
 * @throws AwsError for too many values
 */
export function refuseCrowded(
  text: string,
  syntax: 'json' | 'yaml',
  most = syntax === 'json' ? MAX_IN_JSON : MAX_IN_YAML,
): void {
  let values = 0;
  for (let index = 0; index < text.length; index++)
    if (separates(text.charCodeAt(index), syntax) && ++values > most) throw tooManyValues();
}

function separates(code: number, syntax: 'json' | 'yaml'): boolean {
  switch (code) {
    case 0x2c: // ,
    case 0x5b: // [
    case 0x7b: // {
      return true;
    case 0x0a: // line feed
      return syntax === 'yaml';
    case 0x3a: // :
      return syntax === 'json';
    default:
      return false;
  }
}
