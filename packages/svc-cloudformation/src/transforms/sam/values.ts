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

/** Returns the value as an object, empty for other types. */
export const objectOf = (value: unknown): Obj => (isObject(value) ? value : {});

/** Whether a value is an intrinsic function, reference or condition. */
export function isIntrinsic(value: unknown): value is Obj {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  return names.length === 1 && (names[0] === 'Ref' || names[0] === 'Condition' || names[0]!.startsWith('Fn::'));
}

/** Whether a value is a reference to `AWS::NoValue`. */
export const isNoValue = (value: unknown): boolean => isObject(value) && value.Ref === 'AWS::NoValue';

/** Returns the members of an object that are neither undefined nor null. */
export function defined(members: Obj): Obj {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

/** Returns the members of an object with the given names, if present. */
export const pick = (from: Obj, names: readonly string[]): Obj =>
  defined(Object.fromEntries(names.map((name) => [name, from[name]])));

/** Returns an attribute of a resource. */
export const getAtt = (id: string, attribute: string): Obj => ({ 'Fn::GetAtt': [id, attribute] });

/** Returns a reference to a resource or parameter. */
export const ref = (id: string): Obj => ({ Ref: id });

/** Returns the tags as a list of pairs, including the one that marks SAM as creator. */
export function samTags(tags: unknown, createdBy?: string): { Key: string; Value: unknown }[] {
  const all = { ...(createdBy !== undefined && { [createdBy]: 'SAM' }), ...objectOf(tags) };
  return Object.entries(all).map(([name, value]) => ({ Key: name, Value: value }));
}

/** Returns a deep copy. */
export const copy = <T>(value: T): T => structuredClone(value);

/** Returns the attributes that a resource passes on to everything created from it. */
export const inheritedAttributes = (resource: Resource): Obj =>
  pick(resource, ['Condition', 'DeletionPolicy', 'UpdateReplacePolicy']);
