import { ServiceQuotas } from '@aws-sdk/client-service-quotas';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { shop, TABLES } from './support.ts';

const arnOf = async (quotas: ServiceQuotas): Promise<string> => (await quotas.getServiceQuota(TABLES)).Quota!.QuotaArn!;

/** Creates state of every persisted kind. */
async function act(config: TestClientConfig): Promise<string> {
  const quotas = new ServiceQuotas(config);
  await quotas.requestServiceQuotaIncrease({ ...TABLES, DesiredValue: 3000 });
  await quotas.tagResource({ ResourceARN: await arnOf(quotas), Tags: [{ Key: 'team', Value: 'orders' }] });
  await quotas.startAutoManagement({
    OptInLevel: 'ACCOUNT',
    OptInType: 'NotifyOnly',
    ExclusionList: { dynamodb: ['L-F98FE922'] },
  });
  return (await quotas.startQuotaUtilizationReport({})).ReportId!;
}

/** Reads the state through operations. */
async function observe(config: TestClientConfig, ReportId: string): Promise<unknown> {
  const quotas = new ServiceQuotas(config);
  const { RequestedQuotas } = await quotas.listRequestedServiceQuotaChangeHistory({});
  const { $metadata: _, ...management } = await quotas.getAutoManagementConfiguration({});
  const report = await quotas.getQuotaUtilizationReport({ ReportId }).then(
    ({ Quotas }) => Quotas,
    ({ name }: Error) => name,
  );
  const { Tags } = await quotas.listTagsForResource({ ResourceARN: await arnOf(quotas) });
  return { RequestedQuotas, Tags, management, report };
}

// The emulator itself stores applied values. They remain when only this service is reset.
const options = { settings: { values: { EMULATOR_QUOTA_REQUESTS: 'manual' as const } } };
describeServiceContract({ manifest, others: [shop], scope: 'region', options, act, observe });
