import type { AnyServicePlugin, LoadedService } from '@emu/core';

type AnyHandler = (input: unknown, ctx: unknown) => unknown;

/** Which members of an input handlers read, and whether a handler ran at all. */
export class InputReads {
  /** Paths of members that were read, e.g. `Entries[].Id`; what is in a map goes by its key. */
  readonly paths = new Set<string>();
  /** Whether a handler was given an input: the constraints of the model, and permissions, had let it through. */
  handled = false;
  private wanted: string | undefined;

  /** Records from now on what handlers of an operation read. */
  record(operation: string): void {
    this.paths.clear();
    this.handled = false;
    this.wanted = operation;
  }

  /** Ends recording. */
  stop(): void {
    this.wanted = undefined;
  }

  /** The input of an operation, with its reads recorded while they are wanted. */
  of(operation: string, input: unknown): unknown {
    if (operation !== this.wanted) return input;
    const known = new WeakMap<object, unknown>();
    const watched = (value: unknown, path: string): unknown => {
      if (!isPlain(value)) return value;
      let proxy = known.get(value);
      if (!proxy) {
        proxy = new Proxy(value, {
          get: (target, key) => {
            const member = Reflect.get(target, key) as unknown;
            if (typeof key === 'symbol' || !Object.hasOwn(target, key)) {
              if (typeof key === 'string' && !Array.isArray(target)) this.note(path, key);
              return member;
            }
            const here = Array.isArray(target) ? (key === 'length' ? path : `${path}[]`) : this.note(path, key);
            return watched(member, here);
          },
          has: (target, key) => {
            if (typeof key === 'string' && !Array.isArray(target)) this.note(path, key);
            return Reflect.has(target, key);
          },
        });
        known.set(value, proxy);
      }
      return proxy;
    };
    return watched(input, '');
  }

  private note(path: string, key: string): string {
    const here = path === '' ? key : `${path}.${key}`;
    if (this.wanted !== undefined) this.paths.add(here);
    return here;
  }
}

/** Whether a value is an object or list of a decoded input, and no date, bytes or stream. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as unknown;
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** Puts handlers that tell what they read in the place of a loaded service's own, of this emulator only. */
export function watchHandlers(service: LoadedService, reads: InputReads): void {
  const { plugin } = service;
  const operations = Object.fromEntries(
    Object.entries(plugin.operations as Record<string, AnyHandler>).map(([name, handler]): [string, AnyHandler] => [
      name,
      (input, ctx) => {
        reads.handled = true;
        return handler(reads.of(name, input), ctx);
      },
    ]),
  );
  const prepare = plugin.prepare?.bind(plugin);
  const watched: AnyServicePlugin = {
    ...plugin,
    operations: operations as never,
    ...(prepare && {
      prepare: (operation: string, input: unknown, ctx: never) => {
        reads.handled = true;
        return prepare(operation, reads.of(operation, input), ctx);
      },
    }),
  };
  Object.assign(service, { plugin: watched });
}
