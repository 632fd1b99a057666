import type { Op, PatchOperation } from '@emu/service-types/apigateway';
import type { AwsError } from '@emu/wire';
import { badRequest } from '../errors.ts';

/** One operation of a JSON Patch. */
export interface PatchStep {
  readonly op: Op;
  /** Path as sent. */
  readonly path: string;
  readonly value: string | undefined;
  readonly from: string | undefined;
  /** Unescaped values of the rule's path variables, in order. */
  readonly names: readonly string[];
}

/** Allowed operations at a path. */
export interface PatchRule<Draft> {
  /** For example `/requestParameters/{name}`; a variable `{path+}` also matches several segments, unescaped slashes. */
  readonly path: string;
  readonly ops: readonly Op[];
  apply(draft: Draft, step: PatchStep): void;
}

/** Patch rules of a resource. */
export interface PatchTable<Draft> {
  readonly rules: readonly PatchRule<Draft>[];
  /**
   * Returns the error for an operation without a rule.
   * @param pathKnown whether the path has a rule
   */
  refuse(step: PatchStep, pathKnown: boolean, rules: readonly PatchRule<Draft>[]): AwsError;
}

const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns the values of a pattern's variables in a path; undefined if it does not match. */
function match(pattern: string, path: string): string[] | undefined {
  const [expected, given] = [pattern.split('/'), path.split('/')];
  const greedy = expected.findIndex((segment) => segment.endsWith('+}'));
  const surplus = given.length - expected.length;
  if (greedy >= 0 && surplus > 0)
    given.splice(greedy, surplus + 1, given.slice(greedy, greedy + surplus + 1).join('/'));
  if (expected.length !== given.length) return undefined;
  const names: string[] = [];
  for (const [at, segment] of expected.entries()) {
    const value = given[at]!;
    if (segment.startsWith('{')) {
      if (value === '') return undefined;
      names.push(unescaped(value));
    } else if (segment !== value) return undefined;
  }
  return names;
}

/**
 * Applies the operations of an Update request to a draft, in order.
 * @throws AwsError `BadRequestException` for an invalid operation; the draft must be discarded then
 * @see https://docs.aws.amazon.com/apigateway/latest/api/patch-operations.html
 */
export function applyPatch<Draft>(
  table: PatchTable<Draft>,
  draft: Draft,
  operations: readonly PatchOperation[] | undefined,
): void {
  for (const { op, path, value, from } of operations ?? []) {
    if (path === undefined) throw badRequest('Invalid patch path null');
    const step = { op: op ?? 'replace', path, value, from, names: [] };
    let known = false;
    let done = false;
    for (const rule of table.rules) {
      const names = match(rule.path, path);
      if (!names) continue;
      known = true;
      if (!rule.ops.includes(step.op)) continue;
      rule.apply(draft, { ...step, names });
      done = true;
      break;
    }
    if (!done) throw table.refuse(step, known, table.rules);
  }
}

/** Returns the error that lists the valid paths of the operation. */
export function refuseListing(step: PatchStep, _known: boolean, rules: readonly PatchRule<never>[]): AwsError {
  const paths = rules.filter(({ ops }) => ops.includes(step.op)).map(({ path }) => path.replace('+}', '}'));
  const good = paths.length > 0 ? `Must be one of: [${paths.join(', ')}]` : 'Please choose supported operations';
  return badRequest(`Invalid patch path  '${step.path}' specified for op '${step.op}'. ${good}`);
}

/** Returns the error that only contains the path. */
export const refusePath = ({ path }: PatchStep): AwsError => badRequest(`Invalid patch path ${path}`);

/**
 * Returns the required value of an operation.
 * @throws AwsError `BadRequestException`
 */
export function givenValue({ value, path }: PatchStep): string {
  if (value === undefined) throw badRequest(`Invalid patch value specified for path ${path}`);
  return value;
}

/** Returns a boolean value; anything except `true` is false, as recorded from AWS. */
export const flagOf = ({ value }: PatchStep): boolean => value?.toLowerCase() === 'true';

/**
 * Returns an integer value.
 * @throws AwsError `BadRequestException`
 */
export function integerOf(step: PatchStep): number {
  const value = Number(givenValue(step));
  if (!Number.isInteger(value) || step.value === '')
    throw badRequest(`Invalid patch value specified for path ${step.path}: must be an integer`);
  return value;
}

/**
 * Returns a number value.
 * @throws AwsError `BadRequestException`
 */
export function numberOf(step: PatchStep): number {
  const value = Number(givenValue(step));
  if (!Number.isFinite(value) || step.value === '')
    throw badRequest(`Invalid patch value specified for path ${step.path}: must be a number`);
  return value;
}

/**
 * Returns one of the allowed words.
 * @throws AwsError `BadRequestException`
 */
export function wordOf<const Word extends string>(step: PatchStep, words: readonly Word[]): Word {
  const value = givenValue(step) as Word;
  if (!words.includes(value))
    throw badRequest(`Invalid patch value specified for path ${step.path}: must be one of ${words.join(', ')}`);
  return value;
}

type Texts<Draft> = { [Key in keyof Draft]-?: Draft[Key] extends string | undefined ? Key : never }[keyof Draft];
type Maps<Draft> = {
  [Key in keyof Draft]-?: NonNullable<Draft[Key]> extends Record<string, string> ? Key : never;
}[keyof Draft];

/** Returns a rule that replaces text. */
export const text = <Draft>(
  path: string,
  member: Texts<Draft>,
  ops: readonly Op[] = ['replace'],
): PatchRule<Draft> => ({
  path,
  ops,
  apply(draft, step) {
    if (step.op === 'remove') delete draft[member];
    else draft[member] = givenValue(step) as never;
  },
});

/** Returns a rule for optional text: an empty value removes it. */
export const optionalText = <Draft>(
  path: string,
  member: Texts<Draft>,
  ops: readonly Op[] = ['replace'],
): PatchRule<Draft> => ({
  path,
  ops,
  apply(draft, step) {
    if (step.op === 'remove' || step.value === '') delete draft[member];
    else draft[member] = givenValue(step) as never;
  },
});

/**
 * Returns a rule for the entries of a text map.
 * @param missing error for replacing or removing an unknown entry
 */
export const entries = <Draft>(
  path: string,
  member: Maps<Draft>,
  missing?: (name: string) => AwsError,
  check?: (step: PatchStep) => void,
): PatchRule<Draft> => ({
  path,
  ops: ['add', 'replace', 'remove'],
  apply(draft, step) {
    const [name = ''] = step.names;
    const map = { ...(draft[member] as Record<string, string> | undefined) };
    if (step.op !== 'add' && missing && !Object.hasOwn(map, name)) throw missing(name);
    if (step.op === 'remove') delete map[name];
    else {
      check?.(step);
      map[name] = step.value ?? '';
    }
    if (Object.keys(map).length === 0) delete draft[member];
    else draft[member] = map as never;
  },
});
