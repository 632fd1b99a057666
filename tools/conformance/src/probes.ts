import type { MemberModel, ServiceModel, Shape } from '@emu/wire';
import type { ValidValues } from './valid-values.ts';
import { alternativesTo, sampleOf } from './values.ts';
import { replaced } from './variants.ts';

/** Requests that differ in one member only. */
export interface Probe {
  /** Path of the member, e.g. `Entries[].MessageBody`. */
  member: string;
  /** Reference request. */
  reference: Record<string, unknown>;
  /** Requests with the member, without it, or with another value of it, and the value that each sends. */
  others: readonly { input: Record<string, unknown>; value: unknown }[];
  /** Value of the member in the reference. */
  value: unknown;
  /** Model of the member. */
  model: MemberModel;
  /** Whether requests of clients may lack the member, and are the same requests with an empty one. */
  optional: boolean;
  /** Returns the reference with another value of the member. */
  put(value: unknown): Record<string, unknown>;
}

/** Maximum depth of tested members. */
const MAX_DEPTH = 6;

/** Sources of values for members that a base input lacks. */
export interface ProbeOptions {
  /** Additional values by path. */
  extra?: (member: string) => readonly unknown[];
  /** Values from other inputs. */
  values?: ValidValues;
  /** Returns the index of the request that the service accepts, by the path of the member in which they differ. */
  choose?: (member: string, requests: readonly Record<string, unknown>[]) => Promise<number>;
}

/**
 * Returns every member of an operation's input, including nested ones, with requests that prove its effect. A structure
 * that the base input lacks is the first of its candidates that the service accepts; a map is one member.
 */
export async function probesOf(
  model: ServiceModel,
  operation: string,
  base: Record<string, unknown>,
  { extra = () => [], values, choose = () => Promise.resolve(0) }: ProbeOptions = {},
): Promise<Probe[]> {
  const reference = model.operations[operation]!.input;
  if (!reference) return [];
  const probes: Probe[] = [];

  const walk = async (shape: Shape, held: Held, within: readonly string[]): Promise<void> => {
    for (const [name, member] of Object.entries(shape.members ?? {})) {
      const label = held.label === '' ? name : `${held.label}.${name}`;
      const current = held.value[name];
      const present = current !== undefined;
      const path = [...held.path, name];
      const put = (value: unknown): Record<string, unknown> =>
        // A union has one member at a time.
        shape.union && !present
          ? replacedAt(held.request, held.path, { [name]: value })
          : replaced(held.request, path, value);
      const known = [...extra(label), ...(values?.candidatesFor(name, member) ?? [])];
      const others = [...known, ...alternativesTo(model, member, current)].map((value) => ({
        input: put(value),
        value,
      }));
      // Without a part of its path a request is another one, which clients do not send.
      if (present && member.location !== 'uri' && !shape.union)
        others.push({ input: put(undefined), value: undefined });
      const optional = member.location !== 'uri' && !shape.union && !shape.required?.includes(name);
      probes.push({ member: label, reference: held.request, others, value: current, model: member, optional, put });
      if (!structureOf(model, member)) continue;
      let form: Form = { path, request: held.request, value: current };
      if (!present) {
        const candidates = known.length > 0 ? known : [sampleOf(model, member)].filter((one) => one !== undefined);
        const forms = [
          ...candidates.map((value) => ({ path, request: put(value), value })),
          ...candidates.map((value) => aloneIn(shape, held, name, value)),
          ...candidates.flatMap((value) => addedIn(held, name, value)),
        ];
        if (forms.length === 0) continue;
        const chosen = await choose(
          label,
          forms.map(({ request }) => request),
        );
        form = forms[chosen]!;
      }
      const inside = contentOf(model, member, label, form);
      if (inside && !within.includes(inside.shape))
        await walk(model.shapes[inside.shape]!, inside, [...within, inside.shape]);
    }
  };

  const { shape } = reference;
  await walk(model.shapes[shape]!, { label: '', path: [], request: base, value: base }, [shape]);
  return probes;
}

/** A request with a value at a path. */
interface Form {
  path: readonly string[];
  request: Record<string, unknown>;
  value: unknown;
}

/** A structure in a request: its path in words and in the request, and its contents. */
interface Held extends Form {
  label: string;
  value: Record<string, unknown>;
}

/** Returns a request with a member in place of the optional ones beside it, which may exclude it. */
function aloneIn({ required = [] }: Shape, held: Held, name: string, value: unknown): Form {
  const kept = Object.fromEntries(required.map((other) => [other, held.value[other]]));
  return {
    path: [...held.path, name],
    request: replacedAt(held.request, held.path, { ...kept, [name]: value }),
    value,
  };
}

/** Returns a request with a member in an additional element of its list; empty for a member outside of lists. */
function addedIn(held: Held, name: string, value: unknown): Form[] {
  if (!held.path.at(-1)?.match(/^\d+$/)) return [];
  const path = held.path.slice(0, -1);
  const list = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], held.request) as unknown[];
  return [
    {
      path: [...path, String(list.length), name],
      request: replaced(held.request, path, [...list, { [name]: value }]),
      value,
    },
  ];
}

/** Returns a request with another structure at a path; an empty path is the request itself. */
const replacedAt = (
  request: Record<string, unknown>,
  path: readonly string[],
  value: Record<string, unknown>,
): Record<string, unknown> => (path.length === 0 ? value : replaced(request, path, value));

/** Returns the name of the structure in a member, or in its list; undefined for another type. */
function structureOf(model: ServiceModel, member: MemberModel): string | undefined {
  const { type, member: element } = model.shapes[member.shape]!;
  const shape = type === 'list' ? element!.shape : member.shape;
  const structure = model.shapes[shape]!;
  return structure.type === 'structure' && !structure.document ? shape : undefined;
}

/** Returns the structure in a member, or in the first element of its list; undefined below the maximum depth. */
function contentOf(
  model: ServiceModel,
  member: MemberModel,
  label: string,
  { path, request, value }: Form,
): (Held & { shape: string }) | undefined {
  const shape = structureOf(model, member);
  if (shape === undefined || path.length > MAX_DEPTH) return undefined;
  if (model.shapes[member.shape]!.type !== 'list')
    return { label, path, request, value: value as Record<string, unknown>, shape };
  const [first] = value as Record<string, unknown>[];
  return first && { label: `${label}[]`, path: [...path, '0'], request, value: first, shape };
}
