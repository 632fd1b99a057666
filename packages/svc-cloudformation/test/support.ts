import { CloudFormation, type Stack } from '@aws-sdk/client-cloudformation';
import { defineProvider } from '@emu/core/providers';
import type { ResourceTypeFacts, ServiceManifest } from '@emu/core/service';
import { createTestEmulator, refusal, type TestEmulator, type TestEmulatorOptions } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { manifest } from '../src/manifest.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

/** A resource of the type used in test stacks. */
export interface Thing {
  id: string;
  properties: Record<string, unknown>;
}

const FACTS: ResourceTypeFacts = {
  primaryIdentifier: ['Name'],
  attributes: { Arn: 'string', Size: 'integer' },
  tags: { property: 'Tags', form: 'list' },
  name: { property: 'Name', max: 64 },
  properties: {
    Name: { type: 'string', replacement: 'yes' },
    Kind: { type: 'string', replacement: 'yes' },
    Value: { type: 'string' },
    Size: { type: 'integer' },
    Fail: { type: 'string' },
    Unhandled: { type: 'string' },
    Settings: { type: { map: 'string' } },
    Tags: { type: { list: 'tag' } },
  },
};

/** Services behind templates: a resource type that records its calls. */
export interface Things {
  readonly manifest: ServiceManifest;
  readonly things: Map<string, Thing>;
  /** Calls in order, e.g. `create A`. */
  readonly calls: string[];
  /** Resources whose deletion fails, by logical id. */
  readonly stuck: Set<string>;
  /** Creations by logical id, and listings as `list`, that wait until released. */
  readonly held: Map<string, Promise<void>>;
}

/** Creates a service with the resource type `Test::Thing::Thing`. */
export function makeThings(): Things {
  const things = new Map<string, Thing>();
  const calls: string[] = [];
  const stuck = new Set<string>();
  const held = new Map<string, Promise<void>>();
  const refuse = (fail: unknown, when: string) => {
    if (fail === when) throw awsError('InvalidParameterException', `cannot ${when}`);
  };
  const provider = defineProvider<Record<string, unknown>>({
    typeName: 'Test::Thing::Thing',
    model: { types: { 'Test::Thing::Thing': FACTS } },
    handles: Object.keys(FACTS.properties).filter((name) => name !== 'Unhandled'),
    async create(properties, ctx) {
      const logicalId = ctx.stack!.logicalId;
      calls.push(`create ${logicalId}`);
      await held.get(logicalId);
      refuse(properties.Fail, 'create');
      const id = (properties.Name as string | undefined) ?? ctx.name();
      if (things.has(id)) throw awsError('ThingAlreadyExistsException', `${id} already exists`);
      things.set(id, { id, properties });
      ctx.created(id);
      refuse(properties.Fail, 'stabilise');
      return { identifier: id };
    },
    async read(id) {
      const thing = things.get(id);
      return (
        thing && {
          properties: thing.properties,
          attributes: { Arn: `arn:${id}`, Size: Number(thing.properties.Size ?? 0) },
        }
      );
    },
    async update(id, _previous, desired, ctx) {
      calls.push(`update ${ctx.stack?.logicalId}`);
      refuse(desired.Fail, 'update');
      things.set(id, { id, properties: desired });
    },
    async delete(id, _properties, ctx) {
      calls.push(`delete ${ctx.stack!.logicalId}`);
      if (stuck.has(ctx.stack!.logicalId)) throw awsError('DependencyViolation', `${id} is in use`);
      things.delete(id);
    },
    async list() {
      await held.get('list');
      return [...things.keys()];
    },
  });
  const model = {
    name: 'things',
    signingNames: ['things'],
    hostNames: ['things'],
    cloudFormation: { types: ['Test::Thing::Thing'], load: async () => [provider] },
    load: async (): Promise<never> => {
      throw new Error('nothing calls it');
    },
  };
  return { manifest: model, things, calls, stuck, held };
}

/** Fixture of stack tests. */
export interface StackTest extends AsyncDisposable, Things {
  readonly emulator: TestEmulator;
  readonly cfn: CloudFormation;
  /** Waits until no operation runs on a stack. */
  settled(name: string): Promise<Stack>;
  /** Creates a stack and waits for it. */
  create(name: string, template: object, more?: object): Promise<Stack>;
  /** Updates a stack and waits for it. */
  update(name: string, template: object, more?: object): Promise<Stack>;
  /** Events of a stack, oldest first, as `logical id status reason`. */
  events(name: string): Promise<string[]>;
}

/** Starts an emulator with CloudFormation and the service of things. */
export async function startStacks(
  others: readonly ServiceManifest[] = [],
  options: TestEmulatorOptions = {},
  known = makeThings(),
): Promise<StackTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, known.manifest, ...others],
    settings: { accountId: ACCOUNT, region: REGION },
    ...options,
  });
  const cfn = new CloudFormation({ ...emulator.clientConfig(), maxAttempts: 1 });
  const settled = async (name: string): Promise<Stack> => {
    for (let turn = 0; turn < 2000; turn++) {
      const { Stacks } = await cfn.describeStacks({ StackName: name });
      if (!/_IN_PROGRESS$/.test(Stacks![0]!.StackStatus!) || Stacks![0]!.StackStatus === 'REVIEW_IN_PROGRESS')
        return Stacks![0]!;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`${name} did not settle`);
  };
  return {
    ...known,
    emulator,
    cfn,
    settled,
    async create(name, template, more) {
      const { StackId } = await cfn.createStack({ StackName: name, TemplateBody: JSON.stringify(template), ...more });
      return settled(StackId!);
    },
    async update(name, template, more) {
      const { StackId } = await cfn.updateStack({ StackName: name, TemplateBody: JSON.stringify(template), ...more });
      return settled(StackId!);
    },
    async events(name) {
      const { StackEvents = [] } = await cfn.describeStackEvents({ StackName: name });
      return StackEvents.reverse().map(({ LogicalResourceId, ResourceStatus, ResourceStatusReason }) =>
        [LogicalResourceId, ResourceStatus, ResourceStatusReason].filter(Boolean).join(' '),
      );
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** A resource of the type `Test::Thing::Thing`. */
export const thing = (Properties: object = {}, more: object = {}): object => ({
  Type: 'Test::Thing::Thing',
  Properties,
  ...more,
});

/** Error code and message of a request that must fail. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
}
