import * as sdk from '@aws-sdk/client-ses';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-ses/model/ses.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const Identity = 'example.com';
const Source = `ann@${Identity}`;
const ConfigurationSetName = 'known';
const set = () => ({ ConfigurationSetName });
const identity = () => ({ Identity });
const identities = () => ({ Identities: [Identity] });
const RuleSetName = 'known';
const header = { AddHeaderAction: { HeaderName: 'X-A', HeaderValue: 'b' } };
const rule = (Name: string) => ({ RuleSetName, Rule: { Name, Enabled: true, Actions: [header] } });
const template = (TemplateName: string) => ({ Template: { TemplateName, SubjectPart: 's', TextPart: 'Hi {{name}}' } });
const destination = (Name: string) => ({
  ...set(),
  EventDestination: {
    Name,
    Enabled: true,
    MatchingEventTypes: ['send'],
    CloudWatchDestination: {
      DimensionConfigurations: [
        { DimensionName: 'a', DimensionValueSource: 'messageTag', DefaultDimensionValue: 'none' },
      ],
    },
  },
});
const verification = (TemplateName: string) => ({
  TemplateName,
  FromEmailAddress: Source,
  TemplateSubject: 's',
  TemplateContent: 'c',
  SuccessRedirectionURL: 'https://example.com/yes',
  FailureRedirectionURL: 'https://example.com/no',
});
const Destination = { ToAddresses: ['to@example.org'] };
const mail = () => ({
  Source,
  Destination,
  Message: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } },
});
const filter = (Name: string) => ({ Filter: { Name, IpFilter: { Policy: 'Block', Cidr: '192.0.2.0/24' } } });
const Policy = JSON.stringify({
  Statement: [{ Effect: 'Allow', Principal: '*', Action: 'ses:SendEmail', Resource: '*' }],
});
const policy = () => ({ ...identity(), PolicyName: 'known', Policy });
const TrackingOptions = { CustomRedirectDomain: Identity };
const topic = 'arn:aws:sns:us-east-1:123456789012:t';

/** Creates a verified domain, and resources of every other kind. */
async function setUp(send: Send): Promise<Facts> {
  await send('VerifyDomainIdentity', { Domain: Identity });
  await send('VerifyEmailIdentity', { EmailAddress: 'old@example.org' });
  await send('CreateConfigurationSet', { ConfigurationSet: { Name: ConfigurationSetName } });
  await send('CreateConfigurationSetEventDestination', destination('known'));
  await send('CreateReceiptRuleSet', { RuleSetName });
  await send('CreateReceiptRuleSet', { RuleSetName: 'other' });
  await send('CreateReceiptRule', rule('known'));
  await send('CreateReceiptRule', rule('second'));
  await send('SetActiveReceiptRuleSet', { RuleSetName });
  await send('CreateTemplate', template('known'));
  await send('CreateCustomVerificationEmailTemplate', verification('known'));
  await send('CreateReceiptFilter', filter('known'));
  await send('PutIdentityPolicy', policy());
  return {};
}

/** Returns the whole state as clients see it. */
async function observe(send: Send): Promise<unknown> {
  const all = ['eventDestinations', 'trackingOptions', 'deliveryOptions', 'reputationOptions'];
  const { Identities } = await send('ListIdentities', {});
  const { ConfigurationSets } = await send('ListConfigurationSets', {});
  const { RuleSets } = await send('ListReceiptRuleSets', {});
  const { TemplatesMetadata } = await send('ListTemplates', {});
  const { CustomVerificationEmailTemplates } = await send('ListCustomVerificationEmailTemplates', {});
  const names = (list: unknown, member = 'Name') => (list as Record<string, string>[]).map((one) => one[member]);
  const answers = [
    send('GetIdentityVerificationAttributes', { Identities }),
    send('GetIdentityDkimAttributes', { Identities }),
    send('GetIdentityMailFromDomainAttributes', { Identities }),
    send('GetIdentityNotificationAttributes', { Identities }),
    send('GetIdentityPolicies', { Identity, PolicyNames: ['known', 'new'] }),
    ...names(ConfigurationSets).map((name) =>
      send('DescribeConfigurationSet', { ConfigurationSetName: name, ConfigurationSetAttributeNames: all }),
    ),
    ...names(RuleSets).map((name) => send('DescribeReceiptRuleSet', { RuleSetName: name })),
    ...names(TemplatesMetadata).map((TemplateName) => send('GetTemplate', { TemplateName })),
    ...names(CustomVerificationEmailTemplates, 'TemplateName').map((TemplateName) =>
      send('GetCustomVerificationEmailTemplate', { TemplateName }),
    ),
    send('DescribeActiveReceiptRuleSet', {}),
    send('ListReceiptFilters', {}),
    send('GetAccountSendingEnabled', {}),
    send('GetSendQuota', {}),
    send('GetSendStatistics', {}),
  ];
  return (await Promise.all(answers)).map(({ $metadata: _, ...answer }) => answer);
}

const verified = (send: Send) => send('VerifyEmailIdentity', { EmailAddress: 'new@example.org' });
const dkim = (send: Send) => send('VerifyDomainDkim', { Domain: Identity });
const sent = (send: Send) => send('SendEmail', mail());
const paused = (send: Send) => send('UpdateConfigurationSetSendingEnabled', { ...set(), Enabled: false });
const fewer = (send: Send) => send('DeleteReceiptRule', { RuleSetName, RuleName: 'second' });
const changed = (send: Send) => send('UpdateTemplate', { Template: { TemplateName: 'known', SubjectPart: 'x' } });
const reworded = (send: Send) =>
  send('UpdateCustomVerificationEmailTemplate', { ...verification('known'), TemplateSubject: 'x' });

/** Amazon Simple Email Service, version 1. */
export const ses: Scenario = {
  service: 'ses',
  others: ['s3'],
  model: model as unknown as ServiceModel,
  client: (emulator) => sender(new sdk.SESClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs: {
    CloneReceiptRuleSet: () => ({ RuleSetName: 'new', OriginalRuleSetName: RuleSetName }),
    CreateConfigurationSet: () => ({ ConfigurationSet: { Name: 'new' } }),
    CreateConfigurationSetEventDestination: () => destination('new'),
    CreateConfigurationSetTrackingOptions: () => ({ ...set(), TrackingOptions }),
    CreateCustomVerificationEmailTemplate: () => verification('new'),
    CreateReceiptFilter: () => filter('new'),
    CreateReceiptRule: () => rule('new'),
    CreateReceiptRuleSet: () => ({ RuleSetName: 'new' }),
    CreateTemplate: () => template('new'),
    DeleteConfigurationSet: set,
    DeleteConfigurationSetEventDestination: () => ({ ...set(), EventDestinationName: 'known' }),
    DeleteConfigurationSetTrackingOptions: set,
    DeleteCustomVerificationEmailTemplate: () => ({ TemplateName: 'known' }),
    DeleteIdentity: identity,
    DeleteIdentityPolicy: () => ({ ...identity(), PolicyName: 'known' }),
    DeleteReceiptFilter: () => ({ FilterName: 'known' }),
    DeleteReceiptRule: () => ({ RuleSetName, RuleName: 'known' }),
    DeleteReceiptRuleSet: () => ({ RuleSetName: 'other' }),
    DeleteTemplate: () => ({ TemplateName: 'known' }),
    DeleteVerifiedEmailAddress: () => ({ EmailAddress: 'old@example.org' }),
    DescribeConfigurationSet: () => ({ ...set(), ConfigurationSetAttributeNames: ['reputationOptions'] }),
    DescribeReceiptRule: () => ({ RuleSetName, RuleName: 'known' }),
    DescribeReceiptRuleSet: () => ({ RuleSetName }),
    GetCustomVerificationEmailTemplate: () => ({ TemplateName: 'known' }),
    GetIdentityDkimAttributes: identities,
    GetIdentityMailFromDomainAttributes: identities,
    GetIdentityNotificationAttributes: identities,
    GetIdentityPolicies: () => ({ ...identity(), PolicyNames: ['known'] }),
    GetIdentityVerificationAttributes: () => ({ Identities: [Identity, 'new@example.org'] }),
    GetTemplate: () => ({ TemplateName: 'known' }),
    ListIdentityPolicies: identity,
    PutConfigurationSetDeliveryOptions: () => ({ ...set(), DeliveryOptions: { TlsPolicy: 'Require' } }),
    PutIdentityPolicy: () => ({ ...policy(), PolicyName: 'new' }),
    SendBounce: () => ({
      OriginalMessageId: 'received',
      BounceSender: Source,
      BouncedRecipientInfoList: [{ Recipient: 'info@example.com' }],
    }),
    ReorderReceiptRuleSet: () => ({ RuleSetName, RuleNames: ['known', 'second'] }),
    SendBulkTemplatedEmail: () => ({
      Source,
      Template: 'known',
      DefaultTemplateData: '{"name":"a"}',
      Destinations: [{ Destination }],
    }),
    SendCustomVerificationEmail: () => ({ EmailAddress: 'new@example.org', TemplateName: 'known' }),
    SendEmail: mail,
    SendRawEmail: () => ({
      RawMessage: { Data: Buffer.from(`From: ${Source}\r\nTo: to@example.org\r\n\r\nt`) },
    }),
    SendTemplatedEmail: () => ({ Source, Destination, Template: 'known', TemplateData: '{"name":"a"}' }),
    SetActiveReceiptRuleSet: () => ({ RuleSetName: 'other' }),
    SetIdentityDkimEnabled: () => ({ ...identity(), DkimEnabled: true }),
    SetIdentityFeedbackForwardingEnabled: () => ({ ...identity(), ForwardingEnabled: false }),
    SetIdentityHeadersInNotificationsEnabled: () => ({ ...identity(), NotificationType: 'Bounce', Enabled: true }),
    SetIdentityMailFromDomain: () => ({ ...identity(), MailFromDomain: `mail.${Identity}` }),
    SetIdentityNotificationTopic: () => ({ ...identity(), NotificationType: 'Bounce', SnsTopic: topic }),
    SetReceiptRulePosition: () => ({ RuleSetName, RuleName: 'known' }),
    TestRenderTemplate: () => ({ TemplateName: 'known', TemplateData: '{"name":"a"}' }),
    UpdateAccountSendingEnabled: () => ({ Enabled: false }),
    UpdateConfigurationSetEventDestination: () => ({
      ...set(),
      EventDestination: { ...destination('known').EventDestination, Enabled: false },
    }),
    UpdateConfigurationSetReputationMetricsEnabled: () => ({ ...set(), Enabled: true }),
    UpdateConfigurationSetSendingEnabled: () => ({ ...set(), Enabled: false }),
    UpdateConfigurationSetTrackingOptions: () => ({
      ...set(),
      TrackingOptions: { CustomRedirectDomain: `a.${Identity}` },
    }),
    UpdateCustomVerificationEmailTemplate: () => ({ ...verification('known'), TemplateSubject: 'x' }),
    UpdateReceiptRule: () => ({ RuleSetName, Rule: { Name: 'known' } }),
    UpdateTemplate: () => ({ Template: { TemplateName: 'known', SubjectPart: 'x' } }),
    VerifyDomainDkim: () => ({ Domain: Identity }),
    VerifyDomainIdentity: () => ({ Domain: 'new.example' }),
    VerifyEmailAddress: () => ({ EmailAddress: 'new@example.org' }),
    VerifyEmailIdentity: () => ({ EmailAddress: 'new@example.org' }),
  },
  deviations: [{ path: /(bounce|complaint|delivery)Topic$/, reason: 'topics that are not set are left out' }],
  before: {
    DeleteConfigurationSetTrackingOptions: async (send) => {
      await send('CreateConfigurationSetTrackingOptions', { ...set(), TrackingOptions });
      return {};
    },
    UpdateConfigurationSetTrackingOptions: async (send) => {
      await send('CreateConfigurationSetTrackingOptions', { ...set(), TrackingOptions });
      return {};
    },
    SetIdentityFeedbackForwardingEnabled: async (send) => {
      for (const NotificationType of ['Bounce', 'Complaint'])
        await send('SetIdentityNotificationTopic', { ...identity(), NotificationType, SnsTopic: topic });
      return {};
    },
  },
  values: {
    'CreateReceiptRule.After': ['known'],
    'SetReceiptRulePosition.After': ['second'],
    'SendEmail.ConfigurationSetName': [ConfigurationSetName],
    'SendRawEmail.ConfigurationSetName': [ConfigurationSetName],
    'SendTemplatedEmail.ConfigurationSetName': [ConfigurationSetName],
    'SendBulkTemplatedEmail.ConfigurationSetName': [ConfigurationSetName],
    'SendRawEmail.Source': [Source],
  },
  reads: {
    DescribeActiveReceiptRuleSet: fewer,
    DescribeConfigurationSet: paused,
    DescribeReceiptRule: (send) => send('UpdateReceiptRule', { RuleSetName, Rule: { Name: 'known' } }),
    DescribeReceiptRuleSet: fewer,
    GetAccountSendingEnabled: (send) => send('UpdateAccountSendingEnabled', { Enabled: false }),
    GetCustomVerificationEmailTemplate: reworded,
    GetIdentityDkimAttributes: dkim,
    GetIdentityMailFromDomainAttributes: (send) =>
      send('SetIdentityMailFromDomain', { ...identity(), MailFromDomain: `mail.${Identity}` }),
    GetIdentityNotificationAttributes: (send) =>
      send('SetIdentityNotificationTopic', { ...identity(), NotificationType: 'Bounce', SnsTopic: topic }),
    GetIdentityPolicies: (send) => send('DeleteIdentityPolicy', { ...identity(), PolicyName: 'known' }),
    GetIdentityVerificationAttributes: verified,
    GetSendQuota: sent,
    GetSendStatistics: sent,
    GetTemplate: changed,
    ListConfigurationSets: (send) => send('CreateConfigurationSet', { ConfigurationSet: { Name: 'new' } }),
    ListCustomVerificationEmailTemplates: reworded,
    ListIdentities: verified,
    ListIdentityPolicies: (send) => send('DeleteIdentityPolicy', { ...identity(), PolicyName: 'known' }),
    ListReceiptFilters: (send) => send('CreateReceiptFilter', filter('new')),
    ListReceiptRuleSets: (send) => send('CreateReceiptRuleSet', { RuleSetName: 'new' }),
    ListTemplates: (send) => send('CreateTemplate', template('new')),
    ListVerifiedEmailAddresses: verified,
    TestRenderTemplate: changed,
  },
};
