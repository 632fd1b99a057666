import { isObject } from '@emu/wire';

/** A JSON object of a template. */
export type Obj = Record<string, unknown>;

/** A resource of a template. */
export interface Resource {
  Type: string;
  Properties?: Obj;
  Condition?: unknown;
  DependsOn?: unknown;
  [attribute: string]: unknown;
}

/** The value as an object; an empty one where it is none. */
export const objectOf = (value: unknown): Obj => (isObject(value) ? value : {});

/** Whether a value is a call of an intrinsic function, a reference or a condition. */
export function isIntrinsic(value: unknown): value is Obj {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  return names.length === 1 && (names[0] === 'Ref' || names[0] === 'Condition' || names[0]!.startsWith('Fn::'));
}

/** Whether a value is a reference to nothing. */
export const isNoValue = (value: unknown): boolean => isObject(value) && value.Ref === 'AWS::NoValue';

/** Those members of an object that are there and not null. */
export function defined(members: Obj): Obj {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

/** The members of an object with the given names, as far as they are there. */
export const pick = (from: Obj, names: readonly string[]): Obj =>
  defined(Object.fromEntries(names.map((name) => [name, from[name]])));

/** An attribute of a resource. */
export const getAtt = (id: string, attribute: string): Obj => ({ 'Fn::GetAtt': [id, attribute] });

/** A reference to a resource or parameter. */
export const ref = (id: string): Obj => ({ Ref: id });

/** Tags as a list of pairs, with that which says that SAM made the resource. */
export function tagList(tags: unknown, createdBy?: string): { Key: string; Value: unknown }[] {
  const all = { ...(createdBy !== undefined && { [createdBy]: 'SAM' }), ...objectOf(tags) };
  return Object.entries(all).map(([Key, Value]) => ({ Key, Value }));
}

/** JSON with its keys in order and without spaces, of which ids are made. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return asciiJson(value ?? null);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${asciiJson(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}

const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A copy that shares nothing. */
export const copy = <T>(value: T): T => structuredClone(value);

/** Those attributes of a resource that all that is made of it has, too. */
export const handedOn = (resource: Resource): Obj =>
  pick(resource, ['Condition', 'DeletionPolicy', 'UpdateReplacePolicy']);
