import { tooManyValues } from './weight.ts';

/** Values of a document in JSON, a few bytes each, that are taken apart at once. */
const MOST_IN_JSON = 800_000;
/** Values of one in YAML, of which the parser makes a tree of some 700 bytes each first, in a second for all of them. */
const MOST_IN_YAML = 150_000;

/**
 * Refuses a document that would fill the memory when it is parsed: its size does not bound that.
 * Looks for what separates values, which also stands in texts; documents of AWS's largest size have a third of it.
 * @param most how many values are taken
 * @throws AwsError where it holds too many values
 */
export function refuseCrowded(
  text: string,
  syntax: 'json' | 'yaml',
  most = syntax === 'json' ? MOST_IN_JSON : MOST_IN_YAML,
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
