import type { LoadedService } from '@emu/core';
import type { AnyServicePlugin } from '@emu/core/service';

type AnyHandler = (input: unknown, ctx: unknown) => unknown;

/** Members of an input that handlers read, and whether a handler ran. */
export class InputReads {
  /** Paths of members that were read, e.g. `Entries[].Id`; for a map with its keys. */
  readonly paths = new Set<string>();
  /** Paths of members in the handler's input. */
  readonly present = new Set<string>();
  /** Whether a handler received an input, after constraints of the model and permissions. */
  handled = false;
  private wanted: string | undefined;
  private readonly copies = new WeakMap<object, unknown>();

  /** Starts recording reads by the handlers of an operation. */
  record(operation: string): void {
    this.paths.clear();
    this.present.clear();
    this.handled = false;
    this.wanted = operation;
  }

  /** Stops recording. */
  stop(): void {
    this.wanted = undefined;
  }

  /** Returns the input of an operation with recorded reads while recording is on. Writes go to the input itself. */
  of(operation: string, input: unknown): unknown {
    if (operation !== this.wanted) return input;
    // Later receivers identify it by its identity.
    const copy = this.copies.get(input as object) ?? this.watched(input, '');
    this.copies.set(input as object, copy);
    return copy;
  }

  /** Returns a value whose members are read by getters, including by copying and cloning. */
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

/** Replaces the handlers of a loaded service by recording ones, in this emulator only. */
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
