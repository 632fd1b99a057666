import { type AwsError, awsError } from './errors.ts';
import { ENTRY_WEIGHT, OBJECT_WEIGHT, TEXT_WEIGHT, Weight } from './weight.ts';

/** A parameter's value, or what is below a prefix of parameters' names. */
export type FormNode = string | FormBranch;

/** What the parameters that begin with `<prefix>.` say, by the segment after the prefix. */
export class FormBranch {
  /** The value of the prefix itself, where that is a parameter too. */
  value: string | undefined;
  readonly children = new Map<string, FormNode>();
}

/** Segments in a parameter's name; no input of AWS's is nested that deeply. */
const MAX_SEGMENTS = 100;
/** What a branch takes of memory with its map, which has room for four entries from the start. */
const BRANCH_WEIGHT = 2 * OBJECT_WEIGHT + 2 * ENTRY_WEIGHT;

/**
 * The error for a parameter that is not of its type, or not where its input has one.
 * @param message AWS's words for it
 */
export function malformedInput(message: string): AwsError {
  return awsError('MalformedInput', message, { status: 400 });
}

/** @see https://docs.aws.amazon.com/STS/latest/APIReference/CommonErrors.html */
const malformedQueryString = (): AwsError =>
  awsError('MalformedQueryString', 'The query string contains a syntax error.', { status: 404 });

/** Undoes the encoding of a form; undefined where an escape is not of UTF-8. */
function decodeText(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

/** The first value of a parameter at the top of a form; undefined where it is missing or not well encoded. */
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

/** A form under construction. */
class FormReader {
  readonly root = new FormBranch();
  private readonly weight = new Weight(() => malformedInput('There are too many parameters'));

  /** Adds every parameter of a form or query string; of two with one name the first stays. */
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
 * Reads `application/x-www-form-urlencoded` texts into a tree along the dots in the parameters' names.
 * @param forms a query string, a body, or both; the first that has a parameter gives its value
 * @throws AwsError MalformedQueryString for escapes that are not UTF-8, MalformedInput for too many or too long names
 */
export function readForm(...forms: string[]): FormBranch {
  const reader = new FormReader();
  for (const form of forms) reader.read(form);
  return reader.root;
}
