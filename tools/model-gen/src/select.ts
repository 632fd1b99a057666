import type { MemberModel, ServiceModel, Shape } from '@emu/wire';

/** Returns the shapes that a shape refers to. */
const below = ({ members, member, key, value }: Shape): MemberModel[] =>
  [...Object.values(members ?? {}), member, key, value].filter((use) => use !== undefined);

/**
 * Returns a model with only these operations and the shapes that they reach.
 * @throws Error for an unknown operation
 */
export function selectOperations(model: ServiceModel, names: readonly string[]): ServiceModel {
  const missing = names.filter((name) => !Object.hasOwn(model.operations, name));
  if (missing.length) throw new Error(`${model.service} has no operation ${missing.join(', ')}`);
  const operations = Object.fromEntries(Object.entries(model.operations).filter(([name]) => names.includes(name)));
  const reached = new Set<string>();
  const reach = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const { shape } of below(model.shapes[name]!)) reach(shape);
  };
  for (const { input, output, errors = [] } of Object.values(operations))
    for (const name of [input?.shape, output?.shape, ...errors]) if (name !== undefined) reach(name);
  const shapes = Object.fromEntries(Object.entries(model.shapes).filter(([name]) => reached.has(name)));
  return { ...model, operations, shapes };
}
