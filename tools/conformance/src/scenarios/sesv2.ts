import * as sdk from '@aws-sdk/client-sesv2';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-ses/model/sesv2.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const EmailIdentity = 'example.com';
const FromEmailAddress = `ann@${EmailIdentity}`;
const ConfigurationSetName = 'known';
const ContactListName = 'known';
const arn = (resource: string) => `arn:aws:ses:us-east-1:123456789012:${resource}`;
const ResourceArn = arn(`identity/${EmailIdentity}`);
const Tags = [{ Key: 'team', Value: 'a' }];
const identity = () => ({ EmailIdentity });
const set = () => ({ ConfigurationSetName });
const list = () => ({ ContactListName });
const contact = () => ({ ...list(), EmailAddress: 'ann@example.org' });
const topics = [{ TopicName: 'news', DisplayName: 'News', DefaultSubscriptionStatus: 'OPT_IN' }];
const TemplateContent = { Subject: 's', Text: 'Hi {{name}}' };
const template = (TemplateName: string) => ({ TemplateName, TemplateContent });
const verification = (TemplateName: string) => ({
  TemplateName,
  FromEmailAddress,
  TemplateSubject: 's',
  TemplateContent: 'c',
  SuccessRedirectionURL: 'https://example.com/yes',
  FailureRedirectionURL: 'https://example.com/no',
});
const destination = (EventDestinationName: string) => ({
  ...set(),
  EventDestinationName,
  EventDestination: {
    Enabled: true,
    MatchingEventTypes: ['SEND'],
    CloudWatchDestination: {
      DimensionConfigurations: [
        { DimensionName: 'a', DimensionValueSource: 'MESSAGE_TAG', DefaultDimensionValue: 'none' },
      ],
    },
  },
});
const Policy = JSON.stringify({
  Statement: [{ Effect: 'Allow', Principal: '*', Action: 'ses:SendEmail', Resource: '*' }],
});
const policy = (PolicyName: string) => ({ ...identity(), PolicyName, Policy });
const Destination = { ToAddresses: ['to@example.org'] };
const mail = () => ({
  FromEmailAddress,
  Destination,
  Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } } },
});
const pool = (PoolName: string) => ({ PoolName });
const tenant = () => ({ TenantName: 'known' });
const endpoint = (EndpointName: string) => ({
  EndpointName,
  Details: { RoutesDetails: [{ Region: 'us-west-2' }] },
});
const suppressed = (EmailAddress: string) => ({ EmailAddress, Reason: 'BOUNCE' });
const reputation = (facts: Facts) => ({
  ReputationEntityType: 'RESOURCE',
  ReputationEntityReference: facts.tenant!,
});
const DATES = { StartDate: new Date('2020-01-01T00:00:00Z'), EndDate: new Date('2020-01-05T00:00:00Z') };
const Ip = '192.0.2.1';
const importJob = () => ({
  ImportDestination: { SuppressionListDestination: { SuppressionListImportAction: 'PUT' } },
  ImportDataSource: { S3Url: 's3://bucket/key', DataFormat: 'CSV' },
});

const exportJob = () => ({
  ExportDataSource: { MessageInsightsDataSource: DATES },
  ExportDestination: { DataFormat: 'CSV' },
});
const testReport = () => ({
  FromEmailAddress,
  Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } } },
});
/** Enables the dashboard for the domain. */
const subscribe = async (send: Send): Promise<Facts> => {
  await send('PutDeliverabilityDashboardOption', {
    DashboardEnabled: true,
    SubscribedDomains: [{ Domain: EmailIdentity }],
  });
  return {};
};

/** Creates a verified domain, and resources of every other kind. */
async function setUp(send: Send): Promise<Facts> {
  await send('CreateEmailIdentity', { ...identity(), Tags });
  await send('CreateConfigurationSet', set());
  await send('CreateConfigurationSetEventDestination', destination('known'));
  await send('CreateContactList', { ...list(), Topics: topics });
  await send('CreateContact', contact());
  await send('CreateEmailTemplate', template('known'));
  await send('CreateCustomVerificationEmailTemplate', verification('known'));
  await send('CreateDedicatedIpPool', pool('known'));
  await send('CreateMultiRegionEndpoint', endpoint('known'));
  await send('CreateEmailIdentityPolicy', policy('known'));
  await send('PutSuppressedDestination', suppressed('gone@example.org'));
  const { TenantArn } = await send('CreateTenant', tenant());
  await send('CreateTenantResourceAssociation', { ...tenant(), ResourceArn });
  const { MessageId } = await send('SendEmail', mail());
  const { JobId } = await send('CreateExportJob', exportJob());
  const { ReportId } = await send('CreateDeliverabilityTestReport', testReport());
  return {
    tenant: TenantArn as string,
    message: MessageId as string,
    export: JobId as string,
    report: ReportId as string,
  };
}

/** Returns the whole state as clients see it. */
async function observe(send: Send): Promise<unknown> {
  const { EmailIdentities } = await send('ListEmailIdentities', {});
  const { ConfigurationSets } = await send('ListConfigurationSets', {});
  const { TemplatesMetadata } = await send('ListEmailTemplates', {});
  const { CustomVerificationEmailTemplates } = await send('ListCustomVerificationEmailTemplates', {});
  const { ContactLists } = await send('ListContactLists', {});
  const { DedicatedIpPools } = await send('ListDedicatedIpPools', {});
  const { Tenants } = await send('ListTenants', {});
  const named = (all: unknown, member: string) => (all as Record<string, string>[]).map((one) => one[member]);
  const answers = [
    ...named(EmailIdentities, 'IdentityName').map((one) => send('GetEmailIdentity', { EmailIdentity: one })),
    ...(ConfigurationSets as string[]).flatMap((one) => [
      send('GetConfigurationSet', { ConfigurationSetName: one }),
      send('GetConfigurationSetEventDestinations', { ConfigurationSetName: one }),
    ]),
    ...named(TemplatesMetadata, 'TemplateName').map((TemplateName) => send('GetEmailTemplate', { TemplateName })),
    ...named(CustomVerificationEmailTemplates, 'TemplateName').map((TemplateName) =>
      send('GetCustomVerificationEmailTemplate', { TemplateName }),
    ),
    ...named(ContactLists, 'ContactListName').flatMap((one) => [
      send('GetContactList', { ContactListName: one }),
      send('ListContacts', { ContactListName: one }),
    ]),
    ...(DedicatedIpPools as string[]).map((PoolName) => send('GetDedicatedIpPool', { PoolName })),
    ...named(Tenants, 'TenantName').flatMap((TenantName) => [
      send('GetTenant', { TenantName }),
      send('ListTenantResources', { TenantName }),
    ]),
    send('ListMultiRegionEndpoints', {}),
    send('ListSuppressedDestinations', {}),
    send('ListReputationEntities', {}),
    send('ListImportJobs', {}),
    send('ListExportJobs', {}),
    send('ListDeliverabilityTestReports', {}),
    send('GetAccount', {}),
    send('GetDeliverabilityDashboardOptions', {}),
  ];
  return (await Promise.all(answers)).map(({ $metadata: _, ...answer }) => answer);
}

const tagged = (send: Send) => send('TagResource', { ResourceArn, Tags: [{ Key: 'new', Value: 'x' }] });
const paused = (send: Send) => send('PutConfigurationSetSendingOptions', { ...set(), SendingEnabled: false });
const reworded = (send: Send) =>
  send('UpdateCustomVerificationEmailTemplate', { ...verification('known'), TemplateSubject: 'x' });
const changed = (send: Send) =>
  send('UpdateEmailTemplate', { TemplateName: 'known', TemplateContent: { Subject: 'x' } });
const unsubscribed = (send: Send) => send('UpdateContact', { ...contact(), UnsubscribeAll: true });
const disabled = (send: Send, facts: Facts) =>
  send('UpdateReputationEntityCustomerManagedStatus', { ...reputation(facts), SendingStatus: 'DISABLED' });
const unused = (send: Send) => send('DeleteTenantResourceAssociation', { ...tenant(), ResourceArn });

/** Amazon Simple Email Service, version 2. */
export const sesv2: Scenario = {
  service: 'sesv2',
  others: ['ses', 's3'],
  model: model as unknown as ServiceModel,
  client: (emulator) => sender(new sdk.SESv2Client({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs: {
    BatchGetMetricData: () => ({ Queries: [{ Id: 'a', Namespace: 'VDM', Metric: 'SEND', ...DATES }] }),
    CancelExportJob: (facts) => ({ JobId: facts.export }),
    CreateConfigurationSet: () => ({ ConfigurationSetName: 'new' }),
    CreateConfigurationSetEventDestination: () => destination('new'),
    CreateContact: () => ({ ...list(), EmailAddress: 'new@example.org' }),
    CreateContactList: () => ({ ContactListName: 'new' }),
    CreateCustomVerificationEmailTemplate: () => verification('new'),
    CreateDedicatedIpPool: () => pool('new'),
    CreateDeliverabilityTestReport: testReport,
    CreateEmailIdentity: () => ({ EmailIdentity: 'new.example' }),
    CreateEmailIdentityPolicy: () => policy('new'),
    CreateEmailTemplate: () => template('new'),
    CreateExportJob: exportJob,
    CreateImportJob: importJob,
    CreateMultiRegionEndpoint: () => endpoint('new'),
    CreateTenant: () => ({ TenantName: 'new' }),
    CreateTenantResourceAssociation: () => ({ ...tenant(), ResourceArn: arn('configuration-set/known') }),
    DeleteConfigurationSet: set,
    DeleteConfigurationSetEventDestination: () => ({ ...set(), EventDestinationName: 'known' }),
    DeleteContact: contact,
    DeleteContactList: list,
    DeleteCustomVerificationEmailTemplate: () => ({ TemplateName: 'known' }),
    DeleteDedicatedIpPool: () => pool('known'),
    DeleteEmailIdentity: identity,
    DeleteEmailIdentityPolicy: () => ({ ...identity(), PolicyName: 'known' }),
    DeleteEmailTemplate: () => ({ TemplateName: 'known' }),
    DeleteMultiRegionEndpoint: () => ({ EndpointName: 'known' }),
    DeleteSuppressedDestination: () => ({ EmailAddress: 'gone@example.org' }),
    DeleteTenant: tenant,
    DeleteTenantResourceAssociation: () => ({ ...tenant(), ResourceArn }),
    GetConfigurationSet: set,
    GetConfigurationSetEventDestinations: set,
    GetContact: contact,
    GetContactList: list,
    GetCustomVerificationEmailTemplate: () => ({ TemplateName: 'known' }),
    GetBlacklistReports: () => ({ BlacklistItemNames: [] }),
    GetDedicatedIp: () => ({ Ip }),
    GetDedicatedIpPool: () => pool('known'),
    GetDeliverabilityTestReport: (facts) => ({ ReportId: facts.report }),
    GetDomainDeliverabilityCampaign: () => ({ CampaignId: 'none' }),
    GetDomainStatisticsReport: () => ({ Domain: EmailIdentity, ...DATES }),
    GetEmailAddressInsights: () => ({ EmailAddress: 'success@simulator.amazonses.com' }),
    GetEmailIdentity: identity,
    GetEmailIdentityPolicies: identity,
    GetEmailTemplate: () => ({ TemplateName: 'known' }),
    GetExportJob: (facts) => ({ JobId: facts.export }),
    GetImportJob: (facts) => ({ JobId: facts.job }),
    GetMessageInsights: (facts) => ({ MessageId: facts.message }),
    GetMultiRegionEndpoint: () => ({ EndpointName: 'known' }),
    GetReputationEntity: reputation,
    GetSuppressedDestination: () => ({ EmailAddress: 'gone@example.org' }),
    GetTenant: tenant,
    ListContacts: list,
    ListDomainDeliverabilityCampaigns: () => ({ SubscribedDomain: EmailIdentity, ...DATES }),
    ListResourceTenants: () => ({ ResourceArn }),
    ListTagsForResource: () => ({ ResourceArn }),
    ListTenantResources: tenant,
    PutAccountDedicatedIpWarmupAttributes: () => ({ AutoWarmupEnabled: false }),
    PutAccountDetails: () => ({ MailType: 'MARKETING', WebsiteURL: 'https://example.com' }),
    PutAccountSendingAttributes: () => ({ SendingEnabled: false }),
    PutAccountSuppressionAttributes: () => ({ SuppressedReasons: ['BOUNCE'] }),
    PutAccountVdmAttributes: () => ({ VdmAttributes: { VdmEnabled: 'ENABLED' } }),
    PutDedicatedIpInPool: () => ({ Ip, DestinationPoolName: 'known' }),
    PutDedicatedIpWarmupAttributes: () => ({ Ip, WarmupPercentage: 50 }),
    PutConfigurationSetArchivingOptions: set,
    PutConfigurationSetDeliveryOptions: () => ({ ...set(), TlsPolicy: 'REQUIRE' }),
    PutConfigurationSetReputationOptions: () => ({ ...set(), ReputationMetricsEnabled: true }),
    PutConfigurationSetSendingOptions: () => ({ ...set(), SendingEnabled: false }),
    PutConfigurationSetSuppressionOptions: () => ({ ...set(), SuppressedReasons: ['BOUNCE'] }),
    PutConfigurationSetTrackingOptions: () => ({ ...set(), CustomRedirectDomain: EmailIdentity }),
    PutConfigurationSetVdmOptions: () => ({
      ...set(),
      VdmOptions: { DashboardOptions: { EngagementMetrics: 'ENABLED' } },
    }),
    PutDedicatedIpPoolScalingAttributes: () => ({ ...pool('known'), ScalingMode: 'MANAGED' }),
    PutDeliverabilityDashboardOption: () => ({ DashboardEnabled: true }),
    PutEmailIdentityConfigurationSetAttributes: () => ({ ...identity(), ...set() }),
    PutEmailIdentityDkimAttributes: () => ({ ...identity(), SigningEnabled: false }),
    PutEmailIdentityDkimSigningAttributes: () => ({ ...identity(), SigningAttributesOrigin: 'AWS_SES' }),
    PutEmailIdentityFeedbackAttributes: () => ({ ...identity(), EmailForwardingEnabled: false }),
    PutEmailIdentityMailFromAttributes: () => ({ ...identity(), MailFromDomain: `mail.${EmailIdentity}` }),
    PutSuppressedDestination: () => suppressed('new@example.org'),
    SendBulkEmail: () => ({
      FromEmailAddress,
      DefaultContent: { Template: { TemplateName: 'known', TemplateData: '{"name":"a"}' } },
      BulkEmailEntries: [{ Destination }],
    }),
    SendCustomVerificationEmail: () => ({ EmailAddress: 'new@example.org', TemplateName: 'known' }),
    SendEmail: mail,
    TagResource: () => ({ ResourceArn, Tags: [{ Key: 'new', Value: 'x' }] }),
    TestRenderEmailTemplate: () => ({ TemplateName: 'known', TemplateData: '{"name":"a"}' }),
    UntagResource: () => ({ ResourceArn, TagKeys: ['team'] }),
    UpdateConfigurationSetEventDestination: () => ({
      ...destination('known'),
      EventDestination: { ...destination('known').EventDestination, Enabled: false },
    }),
    UpdateContact: () => ({ ...contact(), UnsubscribeAll: true }),
    UpdateContactList: () => ({ ...list(), Description: 'd' }),
    UpdateCustomVerificationEmailTemplate: () => ({ ...verification('known'), TemplateSubject: 'x' }),
    UpdateEmailIdentityPolicy: () => ({ ...policy('known'), Policy: Policy.replace('SendEmail', 'SendRawEmail') }),
    UpdateEmailTemplate: () => ({ TemplateName: 'known', TemplateContent: { Subject: 'x' } }),
    UpdateReputationEntityCustomerManagedStatus: (facts) => ({ ...reputation(facts), SendingStatus: 'DISABLED' }),
    UpdateReputationEntityPolicy: (facts) => ({
      ...reputation(facts),
      ReputationEntityPolicy: 'arn:aws:ses:us-east-1:aws:reputation-policy/strict',
    }),
  },
  live: ['BatchGetMetricData', 'GetMessageInsights'],
  deviations: [
    {
      path: /^mailFromAttributes\.mailFromDomain(Status)?$/,
      reason: 'an identity without a MAIL FROM domain tells only what happens without one',
    },
  ],
  before: {
    // An account has one list only.
    CreateContactList: async (send) => {
      await send('DeleteContactList', list());
      return {};
    },
    GetDomainStatisticsReport: subscribe,
    ListDomainDeliverabilityCampaigns: subscribe,
    ListRecommendations: async (send) => {
      await send('PutAccountVdmAttributes', { VdmAttributes: { VdmEnabled: 'ENABLED' } });
      return {};
    },
    GetImportJob: async (send) => {
      const { JobId } = await send('CreateImportJob', importJob());
      return { job: JobId as string };
    },
  },
  withdrawn: {
    ...Object.fromEntries(
      ['GetBlacklistReports', 'GetDedicatedIp', 'PutDedicatedIpInPool', 'PutDedicatedIpWarmupAttributes'].map(
        (operation) => [operation, 'no address is leased'],
      ),
    ),
    GetDomainDeliverabilityCampaign: 'campaigns are found in mailboxes of providers',
  },
  values: {
    'SendEmail.ConfigurationSetName': [ConfigurationSetName],
    'SendEmail.TenantName': ['known'],
    'SendEmail.ListManagementOptions': [{ ContactListName }],
    'SendBulkEmail.ConfigurationSetName': [ConfigurationSetName],
    'SendBulkEmail.TenantName': ['known'],
  },
  reads: {
    BatchGetMetricData: undefined,
    GetAccount: (send) => send('PutAccountSendingAttributes', { SendingEnabled: false }),
    GetConfigurationSet: paused,
    GetConfigurationSetEventDestinations: (send) =>
      send('DeleteConfigurationSetEventDestination', { ...set(), EventDestinationName: 'known' }),
    GetContact: unsubscribed,
    GetContactList: (send) => send('UpdateContactList', { ...list(), Description: 'd' }),
    GetCustomVerificationEmailTemplate: reworded,
    GetBlacklistReports: undefined,
    GetDedicatedIp: undefined,
    GetDedicatedIps: undefined,
    GetDedicatedIpPool: (send) =>
      send('PutDedicatedIpPoolScalingAttributes', { ...pool('known'), ScalingMode: 'MANAGED' }),
    GetDeliverabilityDashboardOptions: (send) => send('PutDeliverabilityDashboardOption', { DashboardEnabled: true }),
    GetDeliverabilityTestReport: (send, facts) =>
      send('TagResource', { ResourceArn: arn(`deliverability-test-report/${facts.report}`), Tags }),
    GetDomainDeliverabilityCampaign: undefined,
    GetDomainStatisticsReport: undefined,
    GetEmailAddressInsights: undefined,
    GetEmailIdentity: tagged,
    GetExportJob: (send, facts) => send('CancelExportJob', { JobId: facts.export }),
    ListDeliverabilityTestReports: (send) => send('CreateDeliverabilityTestReport', testReport()),
    ListDomainDeliverabilityCampaigns: undefined,
    ListExportJobs: (send, facts) => send('CancelExportJob', { JobId: facts.export }),
    ListRecommendations: (send) => send('PutEmailIdentityDkimAttributes', { ...identity(), SigningEnabled: false }),
    GetEmailIdentityPolicies: (send) => send('DeleteEmailIdentityPolicy', { ...identity(), PolicyName: 'known' }),
    GetEmailTemplate: changed,
    GetImportJob: undefined,
    GetMessageInsights: undefined,
    GetMultiRegionEndpoint: undefined,
    GetReputationEntity: disabled,
    GetSuppressedDestination: (send) =>
      send('PutSuppressedDestination', { ...suppressed('gone@example.org'), Reason: 'COMPLAINT' }),
    GetTenant: disabled,
    ListConfigurationSets: (send) => send('CreateConfigurationSet', { ConfigurationSetName: 'new' }),
    ListContactLists: (send) => send('DeleteContactList', list()),
    ListContacts: unsubscribed,
    ListCustomVerificationEmailTemplates: reworded,
    ListDedicatedIpPools: (send) => send('CreateDedicatedIpPool', pool('new')),
    ListEmailIdentities: (send) => send('CreateEmailIdentity', { EmailIdentity: 'new.example' }),
    ListEmailTemplates: (send) => send('CreateEmailTemplate', template('new')),
    ListImportJobs: (send) => send('CreateImportJob', importJob()),
    ListMultiRegionEndpoints: (send) => send('CreateMultiRegionEndpoint', endpoint('new')),
    ListReputationEntities: disabled,
    ListResourceTenants: unused,
    ListSuppressedDestinations: (send) => send('PutSuppressedDestination', suppressed('new@example.org')),
    ListTagsForResource: tagged,
    ListTenantResources: unused,
    ListTenants: (send) => send('CreateTenant', { TenantName: 'new' }),
    // Without Mail Manager no archive can be named, so only existing values can be requested.
    PutConfigurationSetArchivingOptions: undefined,
    TestRenderEmailTemplate: changed,
  },
};
