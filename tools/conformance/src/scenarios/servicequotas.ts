import * as sdk from '@aws-sdk/client-service-quotas';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-servicequotas/model/servicequotas.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const TOPICS = { ServiceCode: 'sns', QuotaCode: 'L-61103206' };
const PENDING = { ServiceCode: 'sns', QuotaCode: 'L-1A43D3DB' };
const OTHER = { ServiceCode: 'sns', QuotaCode: 'L-B96EDA7D' };
const ResourceARN = 'arn:aws:servicequotas:us-east-1:123456789012:sns/L-61103206';
const topics = () => TOPICS;
const inTemplate = () => ({ ...TOPICS, AwsRegion: 'eu-west-1' });
const tagged = () => ({ ResourceARN });

const ask = (send: Send, quota: object, DesiredValue: number) =>
  send('RequestServiceQuotaIncrease', { ...quota, DesiredValue });

/** Creates two pending requests, one with a support case, a tag, a report, and automatic management. */
async function setUp(send: Send): Promise<Facts> {
  const { RequestedQuota } = await ask(send, TOPICS, 200_000);
  const { RequestedQuota: second } = await ask(send, PENDING, 6000);
  const { Id } = second as { Id: string };
  await send('CreateSupportCase', { RequestId: Id });
  await send('TagResource', { ResourceARN, Tags: [{ Key: 'team', Value: 'a' }] });
  await send('StartAutoManagement', { OptInLevel: 'ACCOUNT', OptInType: 'NotifyOnly', ExclusionList: { sns: [] } });
  const { ReportId } = await send('StartQuotaUtilizationReport', {});
  return { request: (RequestedQuota as { Id: string }).Id, second: Id, report: ReportId as string };
}

/** Returns requests, values, tags and the settings of automatic management. */
async function observe(send: Send): Promise<unknown> {
  const answer = async (operation: string, input: object) => {
    const { $metadata: _, ...rest } = await send(operation, input as Record<string, unknown>);
    return rest;
  };
  return [
    await answer('ListRequestedServiceQuotaChangeHistory', {}),
    await answer('ListServiceQuotas', { ServiceCode: 'sns' }),
    await answer('ListTagsForResource', { ResourceARN }),
    await answer('GetAutoManagementConfiguration', {}),
  ];
}

const asked = (send: Send) => ask(send, OTHER, 300);

/** Service Quotas. */
export const servicequotas: Scenario = {
  service: 'servicequotas',
  others: ['sns', 'sqs'],
  settings: { EMULATOR_QUOTA_REQUESTS: 'manual' },
  model: model as unknown as ServiceModel,
  client: (emulator) =>
    sender(new sdk.ServiceQuotasClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs: {
    CreateSupportCase: ({ request }) => ({ RequestId: request }),
    GetAWSDefaultServiceQuota: topics,
    GetQuotaUtilizationReport: ({ report }) => ({ ReportId: report }),
    GetRequestedServiceQuotaChange: ({ request }) => ({ RequestId: request }),
    DeleteServiceQuotaIncreaseRequestFromTemplate: inTemplate,
    GetServiceQuota: topics,
    GetServiceQuotaIncreaseRequestFromTemplate: inTemplate,
    ListAWSDefaultServiceQuotas: () => ({ ServiceCode: 'sns' }),
    ListRequestedServiceQuotaChangeHistory: () => ({}),
    ListRequestedServiceQuotaChangeHistoryByQuota: topics,
    ListServiceQuotas: () => ({ ServiceCode: 'sns' }),
    ListTagsForResource: tagged,
    PutServiceQuotaIncreaseRequestIntoTemplate: () => ({ ...inTemplate(), DesiredValue: 300 }),
    RequestServiceQuotaIncrease: () => ({ ...OTHER, DesiredValue: 300 }),
    StartAutoManagement: () => ({ OptInLevel: 'ACCOUNT', OptInType: 'NotifyAndAdjust' }),
    TagResource: () => ({ ...tagged(), Tags: [{ Key: 'new', Value: 'x' }] }),
    UntagResource: () => ({ ...tagged(), TagKeys: ['team'] }),
    UpdateAutoManagement: () => ({ OptInType: 'NotifyAndAdjust' }),
  },
  withdrawn: Object.fromEntries(
    [
      'AssociateServiceQuotaTemplate',
      'DeleteServiceQuotaIncreaseRequestFromTemplate',
      'DisassociateServiceQuotaTemplate',
      'GetAssociationForServiceQuotaTemplate',
      'GetServiceQuotaIncreaseRequestFromTemplate',
      'ListServiceQuotaIncreaseRequestsInTemplate',
      'PutServiceQuotaIncreaseRequestIntoTemplate',
    ].map((operation) => [operation, 'no account of emu is in an organization']),
  ),
  values: {
    'ListServiceQuotas.QuotaCode': [TOPICS.QuotaCode],
    'ListRequestedServiceQuotaChangeHistory.ServiceCode': ['sns'],
    'ListRequestedServiceQuotaChangeHistory.Status': ['CASE_OPENED'],
  },
  after: {
    StartQuotaUtilizationReport: (send, _facts, { ReportId }) => send('GetQuotaUtilizationReport', { ReportId }),
  },
  reads: {
    GetAutoManagementConfiguration: (send) => send('StopAutoManagement', {}),
    GetAWSDefaultServiceQuota: undefined,
    GetQuotaUtilizationReport: undefined,
    GetRequestedServiceQuotaChange: (send, { request }) => send('CreateSupportCase', { RequestId: request }),
    GetAssociationForServiceQuotaTemplate: undefined,
    GetServiceQuota: undefined,
    GetServiceQuotaIncreaseRequestFromTemplate: undefined,
    ListAWSDefaultServiceQuotas: undefined,
    ListRequestedServiceQuotaChangeHistory: asked,
    ListRequestedServiceQuotaChangeHistoryByQuota: (send, { request }) =>
      send('CreateSupportCase', { RequestId: request }),
    ListServiceQuotaIncreaseRequestsInTemplate: undefined,
    ListServiceQuotas: undefined,
    ListServices: undefined,
    ListTagsForResource: (send) => send('TagResource', { ResourceARN, Tags: [{ Key: 'new', Value: 'x' }] }),
  },
};
