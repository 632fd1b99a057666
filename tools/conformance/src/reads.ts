import type { LoadedService } from '@emu/core';
import type { AnyServicePlugin } from '@emu/core/service';

type AnyHandler = (input: unknown, ctx: unknown) => unknown;

/** Which members of an input handlers read, and whether a handler ran at all. */
export class InputReads {
  /** Paths of members that were read, e.g. `Entries[].Id`; what is in a map goes by its key. */
  readonly paths = new Set<string>();
  /** Paths of members that the input of a handler had. */
  readonly present = new Set<string>();
  /** Whether a handler was given an input: the constraints of the model, and permissions, had let it through. */
  handled = false;
  private wanted: string | undefined;
  private readonly copies = new WeakMap<object, unknown>();

  /** Records from now on what handlers of an operation read. */
  record(operation: string): void {
    this.paths.clear();
    this.present.clear();
    this.handled = false;
    this.wanted = operation;
  }

  /** Ends recording. */
  stop(): void {
    this.wanted = undefined;
  }

  /** The input of an operation, with its reads recorded while they are wanted; what is set goes to the input itself. */
  of(operation: string, input: unknown): unknown {
    if (operation !== this.wanted) return input;
    // Those who are given it one after the other know it by its identity.
    const copy = this.copies.get(input as object) ?? this.watched(input, '');
    this.copies.set(input as object, copy);
    return copy;
  }

  /** A value whose members are read by getters, which copying and cloning go through too. */
  private watched(value: unknown, path: string): unknown {
    if (!isPlain(value)) return value;
    const isList = Array.isArray(value);
    const copy = (isList ? new Array<unknown>(value.length) : {}) as Record<string, unknown>;
    for (const key of Object.keys(value)) {
      const here = isList ? `${path}[]` : memberOf(path, key);
      if (!isList) this.present.add(here);
      let member = this.watched(value[key], here);
      Object.defineProperty(copy, key, {
        get: () => {
          if (this.wanted !== undefined && !isList) this.paths.add(here);
          return member;
        },
        set: (replacement: unknown) => {
          value[key] = replacement;
          member = replacement;
        },
        enumerable: true,
        configurable: true,
      });
    }
    return copy;
  }
}

const memberOf = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** Whether a value is an object or list of a decoded input, and no date, bytes or stream. */
function isPlain(value: unknown): value is Record<string, unknown> {
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
