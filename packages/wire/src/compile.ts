import type { MemberModel, ServiceModel, Shape } from './model.ts';

/** Maximum nesting of a body. Recursive shapes and documents would otherwise exhaust the stack. */
export const MAX_DEPTH = 500;

/** Returns a function that calls `make` once and caches its result. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns the shape with a name. @throws Error for an undefined one */
export function shapeOf(model: ServiceModel, name: string): Shape {
  const shape = model.shapes[name];
  if (!shape) throw new Error(`${model.service}: shape ${name} is not in the model`);
  return shape;
}

/** Returns the members of a structure in the body: those without a `location`. */
export function bodyMembers(shape: Shape): [string, MemberModel][] {
  return Object.entries(shape.members ?? {}).filter(([, member]) => member.location === undefined);
}

/**
 * Compiles closures for shapes, each use once. A recursive shape uses a forwarding closure, so `compile` may be called
 * for a shape that is being compiled.
 */
export class ShapeCompiler<Closure extends (...args: never[]) => unknown> {
  private readonly compiled = new Map<string, Closure>();
  private readonly keyOf: (member: MemberModel) => string;
  private readonly make: (member: MemberModel) => Closure;

  /**
   * @param make compiles one use of a shape
   * @param keyOf identifies a use of a shape; by default the shape's name, timestamp format and `jsonvalue`
   */
  constructor(make: (member: MemberModel) => Closure, keyOf = useOf) {
    this.make = make;
    this.keyOf = keyOf;
  }

  /** Returns the closure for a use of a shape. */
  compile(member: MemberModel): Closure {
    const key = this.keyOf(member);
    const known = this.compiled.get(key);
    if (known) return known;
    let target: Closure | undefined;
    const forward = ((...args: never[]) => target!(...args)) as Closure;
    this.compiled.set(key, forward);
    target = this.make(member);
    this.compiled.set(key, target);
    return target;
  }
}

const useOf = (member: MemberModel): string =>
  `${member.shape}|${member.timestampFormat ?? ''}|${member.jsonvalue ? 'json' : ''}`;

/** Returns the key of a structure's member in a document. */
export type KeyOf = (name: string, member: MemberModel) => string;

/** awsJson and rpcv2Cbor: keys are the members' names. A `locationName` belongs to another protocol of the service. */
export const keyByName: KeyOf = (name) => name;

/** restJson: `locationName` is Smithy's `jsonName`. */
export const keyByLocationName: KeyOf = (name, member) => member.locationName ?? name;

/**
 * Sets a member with a name from a client. `__proto__` becomes an own property instead of changing the object's
 * prototype.
 */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}
