import { SES } from '@aws-sdk/client-ses';
import { SESv2 } from '@aws-sdk/client-sesv2';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest, v2Manifest } from '../src/manifest.ts';

const pool = { ConfigurationSetName: 'set' };

/** Creates state of every persistent kind. */
async function act(config: TestClientConfig): Promise<void> {
  const ses = new SES(config);
  const v2 = new SESv2(config);
  await v2.createEmailIdentity({ EmailIdentity: 'example.com', Tags: [{ Key: 'team', Value: 'ü' }] });
  await v2.createConfigurationSet(pool);
  await ses.createTemplate({ Template: { TemplateName: 't', SubjectPart: 'Grüße {{name}}' } });
  await v2.putSuppressedDestination({ EmailAddress: 'gone@example.org', Reason: 'BOUNCE' });
  await v2.createContactList({ ContactListName: 'list', Topics: [topic] });
  await v2.createContact({ ContactListName: 'list', EmailAddress: 'ann@example.org', AttributesData: '{"a":"ü"}' });
  await ses.createReceiptRuleSet({ RuleSetName: 'rules' });
  await ses.createReceiptRule({
    RuleSetName: 'rules',
    Rule: { Name: 'r', Enabled: true, Actions: [{ AddHeaderAction: { HeaderName: 'X-A', HeaderValue: 'b' } }] },
  });
  await ses.setActiveReceiptRuleSet({ RuleSetName: 'rules' });
  await ses.createReceiptFilter({ Filter: { Name: 'f', IpFilter: { Policy: 'Block', Cidr: '192.0.2.0/24' } } });
  await v2.createDedicatedIpPool({ PoolName: 'pool' });
  await v2.createTenant({ TenantName: 'tenant' });
  await v2.createExportJob({
    ExportDataSource: { MessageInsightsDataSource: { StartDate: new Date(0), EndDate: new Date(1) } },
    ExportDestination: { DataFormat: 'CSV' },
  });
  await v2.putAccountSendingAttributes({ SendingEnabled: false });
}

const topic = { TopicName: 'news', DisplayName: 'News', DefaultSubscriptionStatus: 'OPT_IN' as const };

/** Returns its visible state. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const ses = new SES(config);
  const v2 = new SESv2(config);
  const seen = async (requests: Promise<object>[]) =>
    (await Promise.allSettled(requests)).map((one) => {
      if (one.status === 'rejected') return (one.reason as Error).message;
      const { $metadata: _, ...answer } = one.value as { $metadata?: unknown };
      return answer;
    });
  return seen([
    v2.getEmailIdentity({ EmailIdentity: 'example.com' }),
    v2.getConfigurationSet(pool),
    ses.getTemplate({ TemplateName: 't' }),
    v2.listSuppressedDestinations({}),
    v2.getContactList({ ContactListName: 'list' }),
    v2.getContact({ ContactListName: 'list', EmailAddress: 'ann@example.org' }),
    ses.describeActiveReceiptRuleSet({}),
    ses.listReceiptFilters({}),
    v2.listDedicatedIpPools({}),
    v2.listTenants({}),
    v2.listExportJobs({}).then(({ ExportJobs = [] }) => ({ jobs: ExportJobs.map(({ JobId }) => JobId) })),
    v2.getAccount({}),
  ]);
}

describeServiceContract({ manifest, scope: 'region', others: [v2Manifest], act, observe });
