import { isObject } from '@emu/wire';

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Metadata of an event besides its message. */
export interface EventPlace {
  readonly group: string;
  readonly stream: string;
  readonly accountId: string;
  readonly region: string;
}

/** The event cannot be transformed. */
export class TransformError extends Error {}

/** The event being transformed, with fields by dotted path. */
export class EventDocument {
  constructor(
    readonly message: string,
    readonly place: EventPlace,
    readonly root: JsonObject = {},
  ) {}

  /** Returns the value at a path; undefined if missing. */
  get(path: string): Json | undefined {
    if (path === '@message') return this.message;
    let value: Json | undefined = this.root;
    for (const step of path.split('.')) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
      value = (value as JsonObject)[step];
    }
    return value;
  }

  /**
   * Returns the text at a path.
   * @throws TransformError if there is none
   */
  text(path: string): string {
    const value = this.get(path);
    if (typeof value !== 'string') throw new TransformError(`${path} is no text`);
    return value;
  }

  has(path: string): boolean {
    return this.get(path) !== undefined;
  }

  /** Sets the value at a path, creating objects as needed. */
  set(path: string, value: Json): void {
    const steps = path.split('.');
    const last = steps.pop()!;
    let parent = this.root;
    for (const step of steps) {
      const next = Object.hasOwn(parent, step) ? parent[step] : undefined;
      if (isObject(next)) parent = next;
      else {
        const made: JsonObject = {};
        define(parent, step, made);
        parent = made;
      }
    }
    define(parent, last, value);
  }

  /** Sets the value at a path, unless it exists and must not be overwritten. */
  add(path: string, value: Json, overwrite = false): void {
    if (overwrite || !this.has(path)) this.set(path, value);
  }

  delete(path: string): void {
    const at = path.lastIndexOf('.');
    const parent = at < 0 ? this.root : this.get(path.slice(0, at));
    if (isObject(parent)) delete parent[path.slice(at + 1)];
  }

  /** Merges fields at a path or into the root. */
  merge(fields: JsonObject, destination: string | undefined): void {
    for (const [key, value] of Object.entries(fields)) {
      if (destination === undefined) define(this.root, key, value);
      else {
        const target = this.get(destination);
        if (!isObject(target)) this.set(destination, {});
        define(this.get(destination) as JsonObject, key, value);
      }
    }
  }
}

/** Sets a member with any name. */
function define(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}
