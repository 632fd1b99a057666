import * as sdk from '@aws-sdk/client-cloudcontrol';
import * as sqs from '@aws-sdk/client-sqs';
import { defineProvider } from '@emu/core/providers';
import { definePlugin, type ServiceManifest } from '@emu/core/service';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-cloudcontrol/model/cloudcontrol.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const TypeName = 'Shop::Store::Queue';
const RoleArn = 'arn:aws:iam::123456789012:role/deploy';

interface Queue {
  Name?: string;
  DelaySeconds?: number;
}

/** A resource type of the scenario for queues. */
const provider = defineProvider<Queue>({
  typeName: TypeName,
  handles: ['Name', 'DelaySeconds'],
  model: {
    types: {
      [TypeName]: {
        primaryIdentifier: ['Name'],
        attributes: {},
        properties: { Name: { type: 'string', replacement: 'yes' }, DelaySeconds: { type: 'integer' } },
        name: { property: 'Name', max: 80 },
      },
    },
  },
  async create({ Name, DelaySeconds = 0 }, ctx) {
    const QueueName = Name ?? ctx.name();
    // The creation of the first one never ends, so that it can be cancelled.
    await ctx.until(() => QueueName !== 'first');
    await ctx.call('sqs', 'CreateQueue', { QueueName, Attributes: { DelaySeconds: String(DelaySeconds) } });
    return QueueName;
  },
  async read(Name, ctx) {
    const { QueueUrls = [] } = await ctx.call('sqs', 'ListQueues', { QueueNamePrefix: Name });
    const QueueUrl = QueueUrls.find((url) => url.endsWith(`/${Name}`));
    if (QueueUrl === undefined) return undefined;
    const input = { QueueUrl, AttributeNames: ['DelaySeconds' as const] };
    const { Attributes = {} } = await ctx.call('sqs', 'GetQueueAttributes', input);
    return { properties: { Name, DelaySeconds: Number(Attributes.DelaySeconds) }, attributes: {} };
  },
  async update(QueueUrl, _previous, { DelaySeconds = 0 }, ctx) {
    await ctx.call('sqs', 'SetQueueAttributes', { QueueUrl, Attributes: { DelaySeconds: String(DelaySeconds) } });
  },
  async delete(QueueUrl, _properties, ctx) {
    await ctx.call('sqs', 'DeleteQueue', { QueueUrl });
  },
  async list(ctx, { Name } = {}) {
    const { QueueUrls = [] } = await ctx.call('sqs', 'ListQueues', {});
    const names = QueueUrls.map((url) => url.slice(url.lastIndexOf('/') + 1));
    return names.filter((name) => Name === undefined || name === Name);
  },
});

const shop: ServiceManifest = {
  name: 'shop',
  signingNames: ['shop'],
  hostNames: ['shop'],
  cloudFormation: { types: [TypeName], load: async () => [provider] },
  load: async () =>
    definePlugin({
      name: 'shop',
      model: { ...(model as unknown as ServiceModel), service: 'shop', operations: {} },
      stateScope: 'region',
      collections: [],
      operations: [],
    }),
};

const known = () => ({ TypeName, Identifier: 'known' });
const DesiredState = '{"Name":"new"}';

/** Creates two resources, and two requests that have not started. */
async function setUp(send: Send): Promise<Facts> {
  for (const QueueName of ['known', 'other']) await send('SQS.CreateQueue', { QueueName });
  const { ProgressEvent } = await send('CreateResource', {
    TypeName,
    DesiredState: '{"Name":"first"}',
    ClientToken: 'first',
  });
  await send('DeleteResource', { TypeName, Identifier: 'other' });
  return { token: (ProgressEvent as { RequestToken: string }).RequestToken };
}

/** Returns every request and resource. */
async function observe(send: Send): Promise<unknown> {
  const { ResourceRequestStatusSummaries } = await send('ListResourceRequests', {});
  const { ResourceDescriptions } = await send('ListResources', { TypeName });
  return { ResourceRequestStatusSummaries, ResourceDescriptions };
}

/** AWS Cloud Control API. */
export const cloudcontrol: Scenario = {
  service: 'cloudcontrol',
  others: ['sqs'],
  fakes: [shop],
  patience: 20,
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const config = { ...emulator.clientConfig(), maxAttempts: 1 };
    const own = sender(new sdk.CloudControlClient(config) as never, sdk);
    const queues = sender(new sqs.SQSClient(config) as never, sqs);
    return (operation, input) =>
      operation.startsWith('SQS.') ? queues(operation.slice('SQS.'.length), input) : own(operation, input);
  },
  setUp,
  observe,
  inputs: {
    CancelResourceRequest: ({ token }) => ({ RequestToken: token }),
    CreateResource: () => ({ TypeName, DesiredState }),
    DeleteResource: known,
    GetResource: known,
    GetResourceRequestStatus: ({ token }) => ({ RequestToken: token }),
    ListResources: () => ({ TypeName }),
    UpdateResource: () => ({ ...known(), PatchDocument: '[{"op":"replace","path":"/DelaySeconds","value":5}]' }),
  },
  values: {
    'CreateResource.ClientToken': ['first'],
    'CreateResource.DesiredState': ['{"DelaySeconds":1}'],
    'CreateResource.RoleArn': [RoleArn],
    'DeleteResource.ClientToken': ['first'],
    'DeleteResource.RoleArn': [RoleArn],
    'GetResource.RoleArn': [RoleArn],
    'ListResources.ResourceModel': ['{"Name":"known"}'],
    'ListResources.RoleArn': [RoleArn],
    'ListResourceRequests.ResourceRequestStatusFilter': [
      { Operations: ['DELETE'] },
      { Operations: ['UPDATE'], OperationStatuses: ['FAILED'] },
      { OperationStatuses: ['IN_PROGRESS'] },
    ],
    'UpdateResource.ClientToken': ['first'],
    'UpdateResource.PatchDocument': ['[{"op":"remove","path":"/DelaySeconds"}]'],
    'UpdateResource.RoleArn': [RoleArn],
  },
  reads: {
    GetResource: async (send) => {
      const { QueueUrl } = await send('SQS.GetQueueUrl', { QueueName: 'known' });
      return send('SQS.SetQueueAttributes', { QueueUrl, Attributes: { DelaySeconds: '9' } });
    },
    GetResourceRequestStatus: (send, { token }) => send('CancelResourceRequest', { RequestToken: token }),
    ListResourceRequests: (send) => send('CreateResource', { TypeName, DesiredState }),
    ListResources: (send) => send('SQS.CreateQueue', { QueueName: 'more' }),
  },
};
