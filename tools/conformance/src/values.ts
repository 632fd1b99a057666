import type { MemberModel, ServiceModel, Shape } from '@emu/wire';

/** Maximum nesting of generated values, sufficient for every constraint. */
const MAX_DEPTH = 4;
/** Maximum length of strings generated for an upper bound; longer ones are left to tests of the service. */
export const MAX_LENGTH = 70_000;

/** Strings that match common patterns. The first match is used. */
const SAMPLES = [
  'sample',
  'a',
  'Sample1',
  '1',
  '123456789012',
  'sample-0001',
  'arn:aws:iam::123456789012:role/sample',
  'arn:aws:dynamodb:us-east-1:123456789012:table/sample',
  '00000000000000000000001',
];

/** Whether a value matches a pattern. Patterns that JavaScript cannot parse do not match. */
export function meets(pattern: string, value: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(value);
  } catch {
    return false;
  }
}

/** Returns a string of a length, from the characters of a valid one. */
export function stretched(sample: string, length: number): string {
  const unit = sample || 'x';
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** Whether a text satisfies the length and pattern of a shape. */
export const fits = (shape: Shape, text: string): boolean =>
  text.length >= (shape.min ?? 0) &&
  text.length <= (shape.max ?? Number.POSITIVE_INFINITY) &&
  (shape.pattern === undefined || meets(shape.pattern, text));

function stringOf(shape: Shape): string | undefined {
  if (shape.enum) return shape.enum[0];
  const candidates = SAMPLES.flatMap((sample) => [sample, stretched(sample, Math.min(shape.min ?? 0, MAX_LENGTH))]);
  return candidates.find((text) => fits(shape, text));
}

/** Returns a value that satisfies the constraints of a shape; undefined if none could be generated. */
export function sampleOf(model: ServiceModel, member: MemberModel, depth = 0): unknown {
  const shape = model.shapes[member.shape]!;
  if (depth > MAX_DEPTH) return undefined;
  if (shape.document) return {};
  switch (shape.type) {
    case 'string':
      return stringOf(shape);
    case 'integer':
    case 'long':
    case 'float':
    case 'double':
      return Math.max(shape.min ?? 1, Math.min(shape.max ?? 1, 1));
    case 'boolean':
      return false;
    case 'timestamp':
      return new Date('2030-01-01T00:00:00Z');
    case 'blob':
      return new TextEncoder().encode(stretched('x', Math.max(1, shape.min ?? 1)));
    case 'list':
      return repeated(sampleOf(model, shape.member!, depth + 1), Math.max(1, shape.min ?? 1));
    case 'map': {
      const key = sampleOf(model, shape.key!, depth + 1);
      const value = sampleOf(model, shape.value!, depth + 1);
      return key === undefined || value === undefined ? undefined : { [key as string]: value };
    }
    case 'structure':
      return structureOf(model, shape, depth);
  }
}

function repeated(element: unknown, count: number): unknown[] | undefined {
  return element === undefined ? undefined : Array.from({ length: count }, () => element);
}

function structureOf(model: ServiceModel, shape: Shape, depth: number): Record<string, unknown> | undefined {
  const required = shape.required ?? [];
  // An empty structure equals an absent one in some protocols.
  const names = required.length ? required : Object.keys(shape.members ?? {}).slice(0, 1);
  const out: Record<string, unknown> = {};
  for (const name of names) {
    const value = sampleOf(model, shape.members![name]!, depth + 1);
    if (value === undefined) return undefined;
    out[name] = value;
  }
  return out;
}

/** Numbers to try, as far as a shape allows them. */
const NUMBERS = [1, 2, 10, 60, 1000];
/** Limit of values per member. */
const MAX_VALUES = 6;

/**
 * Returns values of a member that satisfy the constraints of its shape and differ from its current one, the most
 * significant first.
 */
export function alternativesTo(model: ServiceModel, member: MemberModel, current: unknown): unknown[] {
  const shape = model.shapes[member.shape]!;
  const sample = sampleOf(model, member);
  const candidates = sample === undefined ? [] : [sample];
  switch (shape.type) {
    case 'string':
      candidates.push(...(shape.enum ?? []));
      if (typeof current === 'string' && !shape.enum) candidates.push(`${current}x`);
      break;
    case 'integer':
    case 'long':
    case 'float':
    case 'double':
      candidates.push(...[...NUMBERS, shape.max ?? 0, shape.min ?? 0].filter((value) => inRange(shape, value)));
      break;
    case 'boolean':
      candidates.push(true, false);
      break;
    case 'timestamp':
      candidates.push(new Date('2001-01-01T00:00:00Z'));
      break;
    case 'list':
      if (Array.isArray(current) && current.length > 1) candidates.push(current.slice(1));
      break;
  }
  const known = new Set([JSON.stringify(current)]);
  return candidates
    .filter((value) => {
      const text = JSON.stringify(value);
      return !known.has(text) && known.add(text);
    })
    .slice(0, MAX_VALUES);
}

const inRange = ({ min, max }: Shape, value: number): boolean =>
  value >= (min ?? 0) && value <= (max ?? Number.POSITIVE_INFINITY);
