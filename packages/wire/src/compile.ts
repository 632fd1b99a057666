import type { MemberModel, ServiceModel, Shape } from './model.ts';

/** How deep a body may nest before it is refused; recursive shapes and documents would otherwise exhaust the stack. */
export const MAX_DEPTH = 500;

/** Runs `make` at the first call and remembers what it returned. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The shape of that name. @throws Error where the model does not define it */
export function shapeOf(model: ServiceModel, name: string): Shape {
  const shape = model.shapes[name];
  if (!shape) throw new Error(`${model.service}: shape ${name} is not in the model`);
  return shape;
}

/** Members of a structure that travel in the body: those without a `location`. */
export function bodyMembers(shape: Shape): [string, MemberModel][] {
  return Object.entries(shape.members ?? {}).filter(([, member]) => member.location === undefined);
}

/**
 * Compiles closures for shapes, each use once. A recursive shape gets a forwarding closure, so `compile` may be called
 * for a shape whose compilation is still under way.
 */
export class ShapeCompiler<Closure extends (...args: never[]) => unknown> {
  private readonly compiled = new Map<string, Closure>();
  private readonly keyOf: (member: MemberModel) => string;
  private readonly make: (member: MemberModel) => Closure;

  /**
   * @param make compiles one use of a shape
   * @param keyOf what distinguishes two uses of one shape; by default the shape's name, timestamp format and `jsonvalue`
   */
  constructor(make: (member: MemberModel) => Closure, keyOf = useOf) {
    this.make = make;
    this.keyOf = keyOf;
  }

  /** The closure for a use of a shape. */
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

/** The key of a structure's member in a document. */
export type KeyOf = (name: string, member: MemberModel) => string;

/** awsJson and rpcv2Cbor: keys are the members' names; a `locationName` is for another protocol of the service. */
export const keyByName: KeyOf = (name) => name;

/** restJson: `locationName` is Smithy's `jsonName`. */
export const keyByLocationName: KeyOf = (name, member) => member.locationName ?? name;

/**
 * Sets a member by a name that came from a client. `__proto__` becomes an ordinary own property instead of changing
 * the object's prototype.
 */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}
