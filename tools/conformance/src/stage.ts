import { createIds, type Checkpoint as KernelCheckpoint, type LoadedService, type ServiceStore } from '@emu/core';
import type { Ids } from '@emu/core/service';
import { type EmbeddedEmulator, SERVICES } from '@emu/emulator';
import { createEmulatorOf } from '@emu/emulator/plugins';
import { InternalCalls } from './calls.ts';
import { ReturnedMembers } from './outputs.ts';
import { InputReads, watchHandlers } from './reads.ts';
import type { Facts, Scenario, Send } from './scenario.ts';
import { type Handle, type SdkRequest, withHandler } from './sdk.ts';

/** Every record of an emulator, by service, collection, scope and key. */
export type Records = ReadonlyMap<string, unknown>;

/** A restorable state with its facts. */
export interface Checkpoint {
  facts: Facts;
  records: Records;
  /** The emulator's checkpoint. */
  taken: KernelCheckpoint;
  /** Seed of ids after it, none of which may repeat an id of the state. */
  seed: string;
}

/** Seed of ids in a scenario's state. */
const SEED = 'conformance';
/** Interval in milliseconds at which timers that are due run while a request is handled. */
const PUMP_INTERVAL = 10;
/** Without `info` and `error`, for which the SDK copies each input and output. */
const SILENT = { warn: (): void => undefined } as Console;
/** Collections with request times, which every request changes. */
const USES: ReadonlySet<string> = new Set(['credentials/uses', 'credentials/service-uses']);

/**
 * An emulator with a scenario's state, a stopped clock and reproducible ids, so that two requests from the same
 * checkpoint differ only by their input.
 */
export class Stage implements AsyncDisposable {
  /** Recorded reads of inputs by handlers. */
  readonly reads = new InputReads();
  /** Recorded calls between services. */
  readonly calls: InternalCalls;
  /** Number of client requests so far. */
  requests = 0;
  /** Changes a request of the client before it is sent; undefined to send it unchanged. */
  rewrite: ((request: SdkRequest) => SdkRequest) | undefined;
  /** Ids generated since the checkpoint. */
  readonly madeIds = new Set<string>();
  private client: Send = () => Promise.reject(new Error('the stage is not set up'));
  private ids: Ids = createIds(SEED);

  private constructor(
    private readonly scenario: Scenario,
    readonly emulator: EmbeddedEmulator,
    private readonly returned: ReturnedMembers,
  ) {
    this.calls = new InternalCalls(emulator);
  }

  /**
   * Starts an emulator and creates the scenario's state.
   * @param time of its stopped clock, in epoch milliseconds
   * @param returned receives the members of all outputs
   */
  static async open(
    scenario: Scenario,
    time: number,
    returned = new ReturnedMembers(scenario.model),
  ): Promise<{ stage: Stage; checkpoint: Checkpoint }> {
    const services = [scenario.service, ...(scenario.others ?? [])];
    const manifests = services.map((name) => SERVICES.find((manifest) => manifest.name === name)!);
    const emulator = await createEmulatorOf([...manifests, ...(scenario.fakes ?? [])], {
      seed: SEED,
      settings: {
        ...scenario.settings,
        // Independent of a container engine on the machine.
        ...(services.includes('lambda') && { EMULATOR_LAMBDA_BACKEND: 'process' }),
      },
    });
    const stage = new Stage(scenario, emulator, returned);
    stage.noteIds();
    if (scenario.patience !== undefined) emulator.kernel.clock.patience = scenario.patience;
    emulator.clock.freeze();
    await emulator.clock.set(time);
    for (const name of services) watchHandlers(await emulator.kernel.service(name), stage.reads);
    stage.client = scenario.client(stage.counted());
    return { stage, checkpoint: stage.checkpoint(await scenario.setUp(stage.send), `${SEED}/state`) };
  }

  /** Implemented operations of the service, in the order of the model. */
  get operations(): string[] {
    const { plugin } = this.emulator.kernel.loadedService(this.scenario.service)!;
    return Object.keys(this.scenario.model.operations).filter((name) => Object.hasOwn(plugin.operations, name));
  }

  /** Sends a request. Timers that are due have run when it resolves. */
  readonly send: Send = async (operation, input) => {
    const { kernel } = this.emulator;
    const pump = setInterval(() => void kernel.clock.advance(0), PUMP_INTERVAL);
    try {
      const output = await this.client(operation, input);
      this.returned.add(operation, output);
      return output;
    } finally {
      clearInterval(pump);
      await kernel.clock.advance(0);
    }
  };

  /**
   * Creates a checkpoint of the current state.
   * @param seed of later ids; not used before
   */
  checkpoint(facts: Facts, seed: string): Checkpoint {
    return { facts, seed, records: this.records(), taken: this.emulator.snapshot() };
  }

  /** Restores the state of a checkpoint; the only place that does so. */
  async restore({ taken, seed }: Checkpoint): Promise<void> {
    await this.emulator.restore(taken);
    this.ids = createIds(seed);
    this.madeIds.clear();
  }

  /** Returns all records. */
  records(): Records {
    const found = new Map<string, unknown>();
    for (const [name, store] of this.stores())
      for (const { collection, accountId, region, key, value } of store.picture()) {
        if (!USES.has(`${name}/${collection}`)) found.set([name, collection, accountId, region, key].join(' '), value);
      }
    return found;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.emulator.close();
  }

  private loaded(): LoadedService[] {
    const { kernel } = this.emulator;
    return kernel.services.flatMap((name) => kernel.loadedService(name) ?? []);
  }

  private stores(): [name: string, store: ServiceStore][] {
    const { credentials } = this.emulator.kernel;
    return [...this.loaded(), credentials].map(({ store }) => [store.service, store]);
  }

  /** Replaces the emulator's ids, so that they can be regenerated from a checkpoint and recognized in texts. */
  private noteIds(): void {
    const noted = (id: string): string => {
      if (id.length >= 6) this.madeIds.add(id);
      return id;
    };
    const replacement: Ids = {
      uuid: () => noted(this.ids.uuid()),
      hex: (length) => noted(this.ids.hex(length)),
      chars: (length, alphabet) => noted(this.ids.chars(length, alphabet)),
      random: () => this.ids.random(),
      bytes: (length) => {
        const bytes = this.ids.bytes(length);
        for (const encoding of ['hex', 'base64', 'base64url'] as const) noted(bytes.toString(encoding));
        return bytes;
      },
    };
    Object.assign(this.emulator.kernel.ids, replacement);
  }

  /** Returns the emulator with counted client requests. */
  private counted(): EmbeddedEmulator {
    const handlerOf =
      (handler: { handle: Handle }): Handle =>
      (request, handling) => {
        this.requests++;
        return handler.handle(this.rewrite ? this.rewrite(request) : request, handling);
      };
    return withHandler(this.emulator, handlerOf, { cacheMiddleware: true, logger: SILENT });
  }
}
