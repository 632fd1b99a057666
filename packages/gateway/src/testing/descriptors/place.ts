import type { LoadedService } from '@emu/core';
import { collectionOf, isEnding, type Living, type RecordSource } from '@emu/core/descriptors';
import type { Collection } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { expect } from 'vitest';
import type { TestEmulator } from '../emulator.ts';
import {
  creationOf,
  type DescriptorTests,
  type Ids,
  type MadeIds,
  type Members,
  type TestedDescriptor,
} from './tested.ts';

const REGION = 'us-east-1';
let accounts = 100_000_000_000;

/** An account in which one test acts. */
export class Place {
  readonly made: { [Resource in string]: Ids } = {};

  constructor(
    private readonly emulator: TestEmulator,
    private readonly service: LoadedService,
    private readonly tests: DescriptorTests,
    readonly accountId = String(accounts++),
  ) {}

  /** The context of a request, as far as errors and filters need it. */
  get ctx(): never {
    const { accountId, service } = this;
    return {
      accountId,
      region: REGION,
      clock: this.emulator.kernel.clock,
      state: this.state,
      handle: service,
    } as never;
  }

  async call(operation: string, input: object): Promise<Members> {
    const place = { accountId: this.accountId, region: REGION };
    return (await this.emulator.kernel.callJson(this.tests.plugin.name, operation, input, place)) as Members;
  }

  /** Expects an error of an operation, and that nothing changes. */
  async refused(operation: string, input: object, expected: { code: string; message?: string }): Promise<void> {
    const before = this.everything();
    const error = await this.call(operation, input).then(
      (output) => expect.fail(`${operation} ${JSON.stringify(input)} answered ${JSON.stringify(output)}`),
      (reason: unknown) => reason as AwsError,
    );
    const { code, message } = expected;
    expect({ operation, code: error.code, message: error.message }).toMatchObject({
      operation,
      code,
      ...(message !== undefined && { message }),
    });
    expect(this.everything()).toEqual(before);
  }

  /** Returns every record of the tested resources. */
  everything(): unknown {
    return Object.values(this.tests.resources).map(({ descriptor }) => [...this.collection(descriptor).entries()]);
  }

  /** Creates a record. @returns the ids that name it */
  async create(name: string, n = 0, changes: object = {}): Promise<Ids> {
    const tested = this.tests.resources[name]!;
    const { descriptor, input } = tested;
    const known = new Set(this.collection(descriptor).keys());
    const request = { ...input(this.made, n), ...changes } as Members;
    await this.call(creationOf(tested)!, request);
    const added = [...this.collection(descriptor).entries()].find(([key]) => !known.has(key));
    expect(added, `${name} is stored`).toBeDefined();
    const owners = descriptor.names.slice(0, -1).map((member) => [member, request[member]]);
    return { ...Object.fromEntries(owners), [descriptor.key]: (added![1] as Members)[descriptor.key] };
  }

  /** Creates a record of every resource before the named one. */
  async prepare(last: string | undefined): Promise<void> {
    for (const [name, tested] of Object.entries(this.tests.resources)) {
      if (name === last) return;
      if (creationOf(tested) !== undefined) this.made[name] = await this.create(name);
    }
  }

  /** Returns the stored record of ids. */
  record(descriptor: TestedDescriptor, ids: Ids): Members {
    const isMeant = (record: object): boolean => (record as Members)[descriptor.key] === ids[descriptor.key];
    return [...this.collection(descriptor).values()].find(isMeant) as Members;
  }

  /** Puts a record into a state. */
  enter(descriptor: TestedDescriptor, ids: Ids, state: string): void {
    const collection = this.collection(descriptor);
    for (const [key, record] of collection.entries())
      if ((record as Members)[descriptor.key] === ids[descriptor.key])
        collection.update(key, (draft) => Object.assign(draft, { life: { state } }));
  }

  /** Returns the ids of the records that have not been deleted. */
  idsOf(descriptor: TestedDescriptor): unknown[] {
    return [...this.collection(descriptor).values()]
      .filter((record) => !isEnding(record as Living))
      .map((record) => (record as Members)[descriptor.key]);
  }

  /** Returns an input of an operation other than the creation. */
  input(name: string, operation: string, ids: Ids, changes: object = {}): object {
    const { others = {} } = this.tests.resources[name]!;
    return { ...others[operation]?.(this.made as MadeIds), ...ids, ...changes };
  }

  private get state(): unknown {
    return this.service.state(this.accountId, REGION);
  }

  private collection(descriptor: TestedDescriptor): Collection<object> {
    return collectionOf(descriptor.source(this.state as never) as RecordSource<object>);
  }
}
