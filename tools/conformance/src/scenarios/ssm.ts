import * as sdk from '@aws-sdk/client-ssm';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-ssm/model/ssm.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';
import { access } from './ssm-access.ts';
import { documents, fleet } from './ssm-documents.ts';
import { management } from './ssm-management.ts';

const Name = '/app/known';
const of = () => ({ Name });
const tagged = () => ({ ResourceType: 'Parameter', ResourceId: Name });
const SettingId = '/ssm/parameter-store/default-parameter-tier';
const expiration = (day: string): string =>
  JSON.stringify([{ Type: 'Expiration', Version: '1.0', Attributes: { Timestamp: `${day}T00:00:00Z` } }]);

/** Creates a parameter with three versions, labels and tags, a list, and an encrypted one. */
async function setUp(send: Send): Promise<Facts> {
  await send('PutParameter', { ...of(), Value: 'one', Type: 'String', Tags: [{ Key: 'team', Value: 'a' }] });
  await send('PutParameter', { ...of(), Value: 'two', Overwrite: true, Description: 'second' });
  await send('PutParameter', { ...of(), Value: 'three', Overwrite: true });
  await send('LabelParameterVersion', { ...of(), ParameterVersion: 1, Labels: ['old', 'first'] });
  await send('PutParameter', { Name: '/app/deep/list', Value: 'x,y', Type: 'StringList', Tier: 'Advanced' });
  await send('PutParameter', { Name: '/app/secret', Value: 'hidden', Type: 'SecureString' });
  await send('UpdateServiceSetting', { SettingId, SettingValue: 'Intelligent-Tiering' });
  // Time passes for maintenance windows, and would end sessions.
  const managed = await management.setUp(send);
  return { ...managed, ...(await documents.setUp(send)), ...(await access.setUp(send)) };
}

/** Returns every parameter with its history and tags, and the setting. */
async function observe(send: Send, facts: Facts): Promise<unknown> {
  const { Parameters } = await send('DescribeParameters', {});
  const all = (Parameters as { Name: string }[]).map(async (parameter) => [
    parameter,
    (await send('GetParameterHistory', { Name: parameter.Name })).Parameters,
    (await send('ListTagsForResource', { ResourceType: 'Parameter', ResourceId: parameter.Name })).TagList,
  ]);
  const { ServiceSetting } = await send('GetServiceSetting', { SettingId });
  return [await Promise.all(all), ServiceSetting, await documents.observe(send), await management.observe(send, facts)];
}

/** Returns further inputs from several parts; an operation may have inputs in each. */
function alsoOf(...parts: readonly NonNullable<Scenario['also']>[]): NonNullable<Scenario['also']> {
  const all: Record<string, readonly ((facts: Facts) => Record<string, unknown>)[]> = {};
  for (const part of parts)
    for (const [operation, inputs] of Object.entries(part)) all[operation] = [...(all[operation] ?? []), ...inputs];
  return all;
}

const changed = (send: Send) => send('PutParameter', { ...of(), Value: 'four', Overwrite: true });
const retagged = (send: Send) => send('AddTagsToResource', { ...tagged(), Tags: [{ Key: 'new', Value: 'x' }] });

/** AWS Systems Manager. */
export const ssm: Scenario = {
  service: 'ssm',
  others: ['kms', 's3', 'sts'],
  model: model as unknown as ServiceModel,
  fakes: [fleet.manifest],
  client(emulator) {
    const send = sender(new sdk.SSMClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk);
    return async (operation, input) => {
      switch (operation) {
        case 'RegisterManagedInstance':
          return { ...(await emulator.kernel.call('ssm', operation, input as never)) };
        case 'CreateBucket':
          await emulator.kernel.call('s3', operation, input as never);
          return {};
        case 'PassTime':
          await emulator.kernel.clock.advance(Number(input.seconds) * 1000);
          return {};
        default:
          return send(operation, input);
      }
    };
  },
  // Tags of resources that emu does not support yet.
  declines: ({ name }) => name === 'NotImplemented',
  deviations: [
    { path: /[lL]abels$/, reason: 'a version without labels has an empty list' },
    { path: /(invalid|deleted)Parameters$/, reason: 'AWS shows an empty list where there are none' },
    ...management.deviations,
    ...documents.deviations,
  ],
  before: management.before,
  setUp,
  observe,
  inputs: {
    ...management.inputs,
    ...documents.inputs,
    ...access.inputs,
    AddTagsToResource: () => ({ ...tagged(), Tags: [{ Key: 'new', Value: 'x' }] }),
    DeleteParameter: of,
    DeleteParameters: () => ({ Names: [Name] }),
    GetParameter: of,
    GetParameterHistory: of,
    GetParameters: () => ({ Names: [Name] }),
    GetParametersByPath: () => ({ Path: '/app' }),
    GetServiceSetting: () => ({ SettingId }),
    LabelParameterVersion: () => ({ ...of(), Labels: ['live'] }),
    ListTagsForResource: tagged,
    PutParameter: () => ({ Name: '/app/new', Value: 'x', Type: 'String' }),
    RemoveTagsFromResource: () => ({ ...tagged(), TagKeys: ['team'] }),
    ResetServiceSetting: () => ({ SettingId }),
    UnlabelParameterVersion: () => ({ ...of(), ParameterVersion: 1, Labels: ['old'] }),
    UpdateServiceSetting: () => ({ SettingId, SettingValue: 'Advanced' }),
  },
  also: {
    ...alsoOf(management.also, documents.also, access.also),
    DescribeParameters: [
      () => ({ ParameterFilters: [{ Key: 'Name', Option: 'Contains', Values: ['known'] }] }),
      () => ({ Filters: [{ Key: 'Type', Values: ['StringList'] }] }),
    ],
    GetParameter: [() => ({ Name: '/app/secret' })],
    GetParameterHistory: [() => ({ Name: '/app/secret' })],
    GetParameters: [() => ({ Names: ['/app/secret'] })],
    GetParametersByPath: [
      () => ({ Path: '/app', ParameterFilters: [{ Key: 'Type', Option: 'Equals', Values: ['String'] }] }),
    ],
    PutParameter: [
      () => ({ ...of(), Value: 'x', Overwrite: true }),
      () => ({ Name: '/app/sealed', Value: 'x', Type: 'SecureString', KeyId: 'alias/aws/ssm' }),
      () => ({
        Name: '/app/expiring',
        Value: 'x',
        Type: 'String',
        Tier: 'Advanced',
        Policies: expiration('2100-01-01'),
      }),
      () => ({ Name: 'image', Value: 'ami-0123456789abcdef0', Type: 'String', DataType: 'aws:ec2:image' }),
    ],
  },
  values: {
    ...management.values,
    ...documents.values,
    ...access.values,
    'PutParameter.Policies': [expiration('2100-01-01'), expiration('2101-01-01')],
    'PutParameter.AllowedPattern': ['^x$', '^[a-z]$'],
    'PutParameter.DataType': ['text', 'aws:ec2:image'],
    'DescribeParameters.ParameterFilters[].Option': ['BeginsWith', 'Equals', 'Contains'],
    'GetParametersByPath.Recursive': [true],
  },
  after: documents.after,
  reads: {
    ...management.reads,
    ...documents.reads,
    DescribeParameters: changed,
    GetParameter: changed,
    GetParameterHistory: changed,
    GetParameters: changed,
    GetParametersByPath: changed,
    GetServiceSetting: (send) => send('ResetServiceSetting', { SettingId }),
    ListTagsForResource: retagged,
  },
};
