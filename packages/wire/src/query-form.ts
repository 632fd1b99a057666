import { type AwsError, awsError } from './errors.ts';
import { ENTRY_WEIGHT, OBJECT_WEIGHT, TEXT_WEIGHT, Weight } from './weight.ts';

/** A parameter's value, or the branch below a prefix of parameter names. */
export type FormNode = string | FormBranch;

/** Parameters that begin with `<prefix>.`, by the segment after the prefix. */
export class FormBranch {
  /** Value of the prefix itself, if it is also a parameter. */
  value: string | undefined;
  readonly children = new Map<string, FormNode>();
}

/** Limit of segments in a parameter's name, above the nesting of any AWS input. */
const MAX_SEGMENTS = 100;
/** Memory of a branch and its map, which initially has space for four entries. */
const BRANCH_WEIGHT = 2 * OBJECT_WEIGHT + 2 * ENTRY_WEIGHT;

/**
 * Creates the error for a parameter of the wrong type or at the wrong place.
 * @param message of AWS
 */
export function malformedInput(message: string): AwsError {
  return awsError('MalformedInput', message, { status: 400 });
}

/** @see https://docs.aws.amazon.com/STS/latest/APIReference/CommonErrors.html */
const malformedQueryString = (): AwsError =>
  awsError('MalformedQueryString', 'The query string contains a syntax error.', { status: 404 });

/** Decodes form encoding; undefined for an escape that is not UTF-8. */
function decodeText(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

/** Returns the first value of a top-level parameter; undefined if missing or wrongly encoded. */
export function formValue(form: string, name: string): string | undefined {
  for (let start = 0; start < form.length; ) {
    const ampersand = form.indexOf('&', start);
    const end = ampersand < 0 ? form.length : ampersand;
    if (form.startsWith(name, start)) {
      const after = start + name.length;
      if (after === end) return '';
      if (form.charCodeAt(after) === 0x3d) return decodeText(form.slice(after + 1, end));
    }
    start = end + 1;
  }
  return undefined;
}

/** A form being parsed. */
class FormReader {
  readonly root = new FormBranch();
  private readonly weight = new Weight(() => malformedInput('There are too many parameters'));

  /** Adds every parameter of a form or query string. The first of two with the same name wins. */
  read(form: string): void {
    for (let start = 0; start < form.length; ) {
      const ampersand = form.indexOf('&', start);
      const end = ampersand < 0 ? form.length : ampersand;
      if (end > start) this.parameter(form.slice(start, end));
      start = end + 1;
    }
  }

  private parameter(pair: string): void {
    const equals = pair.indexOf('=');
    const name = decodeText(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodeText(pair.slice(equals + 1));
    if (name === undefined || value === undefined) throw malformedQueryString();
    let branch = this.root;
    let start = 0;
    let dot = name.indexOf('.');
    for (let segments = 1; dot >= 0; segments++) {
      if (segments >= MAX_SEGMENTS) throw malformedInput('Parameters are nested too deeply');
      branch = this.below(branch, name.slice(start, dot));
      start = dot + 1;
      dot = name.indexOf('.', start);
    }
    const last = start === 0 ? name : name.slice(start);
    const known = branch.children.get(last);
    if (known === undefined) {
      this.weight.add(ENTRY_WEIGHT + 2 * TEXT_WEIGHT);
      branch.children.set(last, value);
    } else if (known instanceof FormBranch) known.value ??= value;
  }

  private below(branch: FormBranch, segment: string): FormBranch {
    const known = branch.children.get(segment);
    if (known instanceof FormBranch) return known;
    this.weight.add(BRANCH_WEIGHT);
    const made = new FormBranch();
    made.value = known;
    branch.children.set(segment, made);
    return made;
  }
}

/**
 * Parses `application/x-www-form-urlencoded` texts into a tree along the dots in parameter names.
 * @param forms a query string, a body, or both; the first one with a parameter wins
 * @throws AwsError MalformedQueryString for escapes that are not UTF-8, MalformedInput for too many or too long names
 */
export function readForm(...forms: string[]): FormBranch {
  const reader = new FormReader();
  for (const form of forms) reader.read(form);
  return reader.root;
}
