import type { MemberModel, ServiceModel, Shape } from '@emu/wire';
import { MAX_LENGTH, meets, sampleOf, stretched } from './values.ts';

/** A request generated from a model. */
export interface Variant {
  /** The change, e.g. `+DelaySeconds`, `-QueueName`, `MaxResults=1000`, `QueueName too short`. */
  name: string;
  input: Record<string, unknown>;
  /** Whether the request violates a constraint and must be rejected. */
  broken: boolean;
  /** Reason why it cannot be sent: on the wire it is another request, or equals the base. */
  leftOut?: string;
}

type Path = readonly string[];

/**
 * Returns requests for an operation: the base input, each optional member present and absent, every enum value, both
 * ends of each range and length, and each violated constraint, for all members of the base input.
 */
export function variantsOf(model: ServiceModel, operation: string, base: Record<string, unknown>): Variant[] {
  const variants: Variant[] = [{ name: 'base', input: base, broken: false }];
  const input = model.operations[operation]!.input;
  if (!input) return variants;
  collect(model, model.shapes[input.shape]!, base, base, [], variants);
  for (const variant of variants) {
    const other = variant.broken && variant.name.startsWith('-') && instead(model, operation, variant.name.slice(1));
    if (other) variant.leftOut = `is a request of ${other}`;
  }
  return variants;
}

const bound = ({ location }: MemberModel): boolean => location === 'querystring' || location === 'header';

/** Returns the required query parameters and headers of an operation. */
function requiredBindings(model: ServiceModel, operation: string): Map<string, MemberModel> {
  const { input } = model.operations[operation]!;
  const { required = [], members = {} } = input ? model.shapes[input.shape]! : {};
  return new Map(required.map((name) => [name, members[name]!] as const).filter(([, member]) => bound(member)));
}

/** Returns the operation at the same address that receives a request without a required query parameter or header. */
function instead(model: ServiceModel, operation: string, member: string): string | undefined {
  const own = requiredBindings(model, operation);
  if (!own.delete(member)) return undefined;
  const left = new Set([...own.values()].map(({ locationName }) => locationName));
  const { http } = model.operations[operation]!;
  return Object.entries(model.operations)
    .filter(([name, other]) => name !== operation && other.http.method === http.method && other.http.uri === http.uri)
    .map(([name]) => ({ name, needs: [...requiredBindings(model, name).values()] }))
    .sort((a, b) => b.needs.length - a.needs.length)
    .find(({ needs }) => needs.every(({ locationName }) => left.has(locationName)))?.name;
}

/** Returns the base input with one value replaced, or removed if undefined. */
export function replaced(
  base: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [name, ...rest] = path as [string, ...string[]];
  if (!rest.length) {
    const { [name]: _old, ...others } = base;
    return value === undefined ? others : { ...others, [name]: value };
  }
  const child = base[name];
  if (Array.isArray(child)) {
    const [index, ...deeper] = rest as [string, ...string[]];
    const copy = [...child];
    copy[Number(index)] = deeper.length
      ? replaced(copy[Number(index)] as Record<string, unknown>, deeper, value)
      : value;
    return { ...base, [name]: copy };
  }
  return { ...base, [name]: replaced(child as Record<string, unknown>, rest, value) };
}

function collect(
  model: ServiceModel,
  shape: Shape,
  value: Record<string, unknown>,
  base: Record<string, unknown>,
  path: Path,
  into: Variant[],
): void {
  const required = new Set(shape.required);
  for (const [name, member] of Object.entries(shape.members ?? {})) {
    const here = [...path, name];
    const label = here.join('.');
    const add = (what: string, replacement: unknown, broken: boolean): void => {
      const leftOut = unsendable(model, member, replacement);
      into.push({
        name: what,
        input: replaced(base, here, replacement),
        broken,
        ...(broken && leftOut !== undefined && { leftOut }),
      });
    };
    const present = value[name] !== undefined;
    // Without a part of its path a request is another one, which clients do not send.
    const inPath = member.location === 'uri';
    if (present && required.has(name) && !inPath) add(`-${label}`, undefined, true);
    if (present && !required.has(name) && !shape.union) add(`-${label}`, undefined, false);
    const sample = present ? value[name] : shape.union ? undefined : sampleOf(model, member);
    if (sample === undefined) continue;
    if (!present) add(`+${label}`, sample, false);
    const target = model.shapes[member.shape]!;
    scalarVariants(target, sample, label, add, inPath);
    if (present) nested(model, target, sample, base, here, into);
  }
}

/** Returns the reason why clients send something else for an invalid value of a member. */
function unsendable(model: ServiceModel, member: MemberModel, value: unknown): string | undefined {
  const streams = member.streaming || model.shapes[member.shape]!.streaming;
  if (value === undefined && streams) return 'without it the body is empty, which it may be';
  if (value === undefined && member.idempotencyToken) return 'clients make a token where there is none';
  if (Array.isArray(value) && value.length === 0 && bound(member)) return 'an empty list is not sent';
  return undefined;
}

/** Recurses into structures, and into the first element of lists of structures. */
function nested(
  model: ServiceModel,
  shape: Shape,
  value: unknown,
  base: Record<string, unknown>,
  path: Path,
  into: Variant[],
): void {
  if (path.length > 6) return;
  if (shape.type === 'structure' && !shape.document)
    collect(model, shape, value as Record<string, unknown>, base, path, into);
  if (shape.type !== 'list') return;
  const element = model.shapes[shape.member!.shape]!;
  const [first] = value as unknown[];
  if (element.type === 'structure' && first !== undefined)
    collect(model, element, first as Record<string, unknown>, base, [...path, '0'], into);
}

/** Texts, one of which violates almost any pattern. */
const ODD = ['\u0007', '$', ' ', '!'];

function breakPattern(pattern: string, label: string, add: Add): void {
  const odd = ODD.find((text) => !meets(pattern, text));
  if (odd !== undefined) add(`${label} against the pattern`, odd, true);
}

type Add = (name: string, value: unknown, broken: boolean) => void;

function scalarVariants(shape: Shape, sample: unknown, label: string, add: Add, inPath: boolean): void {
  const { min, max } = shape;
  switch (shape.type) {
    case 'string':
      for (const value of shape.enum ?? []) if (value !== sample) add(`${label}=${value}`, value, false);
      if (shape.enum) add(`${label} not in the enum`, 'NO_SUCH_VALUE', true);
      else if (shape.pattern !== undefined) breakPattern(shape.pattern, label, add);
      if (shape.enum) return;
      if (min !== undefined && min > (inPath ? 1 : 0))
        add(`${label} too short`, stretched(String(sample), min - 1), true);
      if (max !== undefined && max < MAX_LENGTH) {
        add(`${label} too long`, stretched(String(sample), max + 1), true);
        if (shape.pattern === undefined) add(`${label} of length ${max}`, stretched(String(sample), max), false);
      }
      return;
    case 'integer':
    case 'long':
    case 'float':
    case 'double':
      if (min !== undefined) {
        add(`${label}=${min}`, min, false);
        add(`${label}=${min - 1}`, min - 1, true);
      }
      if (max !== undefined && max < Number.MAX_SAFE_INTEGER) {
        add(`${label}=${max}`, max, false);
        add(`${label}=${max + 1}`, max + 1, true);
      }
      return;
    case 'boolean':
      add(`${label}=${!sample}`, !sample, false);
      return;
    case 'list': {
      const elements = sample as unknown[];
      if (min !== undefined && min > 0) add(`${label} too few`, elements.slice(0, min - 1), true);
      if (max !== undefined && max <= 10_000)
        add(
          `${label} too many`,
          Array.from({ length: max + 1 }, () => elements[0]),
          true,
        );
    }
  }
}
