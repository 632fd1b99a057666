import type { MemberModel, ServiceModel, Shape } from '@emu/wire';
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

/**
 * Returns every member of an operation's input, including nested ones, with requests that prove its effect. Structures
 * missing in the base input are generated from the model; a map is one member.
 * @param extra additional values by path
 */
export function probesOf(
  model: ServiceModel,
  operation: string,
  base: Record<string, unknown>,
  extra: (member: string) => readonly unknown[] = () => [],
): Probe[] {
  const reference = model.operations[operation]!.input;
  if (!reference) return [];
  const probes: Probe[] = [];

  const walk = (shape: Shape, held: Held, within: readonly string[]): void => {
    for (const [name, member] of Object.entries(shape.members ?? {})) {
      const label = held.label === '' ? name : `${held.label}.${name}`;
      const current = held.value[name];
      const present = current !== undefined;
      const path = [...held.path, name];
      const put = (value: unknown): Record<string, unknown> =>
        // A union has one member at a time.
        shape.union && !present
          ? replaced(held.request, held.path, { [name]: value })
          : replaced(held.request, path, value);
      const values = [...extra(label), ...alternativesTo(model, member, current)];
      const others = values.map((value) => ({ input: put(value), value }));
      // Without a part of its path a request is another one, which clients do not send.
      if (present && member.location !== 'uri' && !shape.union)
        others.push({ input: put(undefined), value: undefined });
      // Clients do not send empty headers, and a path without a part is another one.
      const optional =
        !/^(?:uri|header)/.test(member.location ?? '') && !shape.union && !shape.required?.includes(name);
      probes.push({ member: label, reference: held.request, others, value: current, model: member, optional, put });
      const value = present ? current : (extra(label)[0] ?? sampleOf(model, member));
      if (value === undefined) continue;
      const request = present ? held.request : put(value);
      const inside = contentOf(model, member, { label, path, request, value: value as Record<string, unknown> });
      if (inside && !within.includes(inside.shape))
        walk(model.shapes[inside.shape]!, inside, [...within, inside.shape]);
    }
  };

  const { shape } = reference;
  walk(model.shapes[shape]!, { label: '', path: [], request: base, value: base }, [shape]);
  return probes;
}

/** A structure in a request: its path in words and in the request, and its contents. */
interface Held {
  label: string;
  path: readonly string[];
  request: Record<string, unknown>;
  value: Record<string, unknown>;
}

/**
 * Returns the structure in a member, or in the first element of its list; undefined for another type or below the
 * maximum depth.
 */
function contentOf(model: ServiceModel, member: MemberModel, held: Held): (Held & { shape: string }) | undefined {
  const { type, member: element } = model.shapes[member.shape]!;
  const shape = type === 'list' ? element!.shape : member.shape;
  const structure = model.shapes[shape]!;
  if (structure.type !== 'structure' || structure.document || held.path.length > MAX_DEPTH) return undefined;
  if (type !== 'list') return { ...held, shape };
  const [value] = held.value as unknown as Record<string, unknown>[];
  return value && { label: `${held.label}[]`, path: [...held.path, '0'], request: held.request, value, shape };
}
