import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as ses, v2Manifest } from '@emu/svc-ses/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { describeTypes, type Env, typeCase } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];

const setsOf = async (env: Env) =>
  [(await env.make('AWS::SES::ConfigurationSet')).id, (await env.make('AWS::SES::ConfigurationSet')).id] as const;

const domainOf = async (env: Env, EmailIdentity: string) => {
  await env.call('sesv2', 'CreateEmailIdentity', { EmailIdentity }).catch(() => undefined);
  return EmailIdentity;
};

describeTypes(
  [cloudwatch, events, ses, sns, v2Manifest],
  [
    typeCase({
      type: 'AWS::SES::ConfigurationSet',
      needs: async (env) => domainOf(env, 'track.example.com'),
      least: () => ({}),
      most: (domain) => ({
        DeliveryOptions: { TlsPolicy: 'REQUIRE' },
        ReputationOptions: { ReputationMetricsEnabled: true },
        SendingOptions: { SendingEnabled: false },
        SuppressionOptions: { SuppressedReasons: ['BOUNCE'] },
        Tags: TAGS,
        TrackingOptions: { CustomRedirectDomain: domain },
        VdmOptions: { DashboardOptions: { EngagementMetrics: 'ENABLED' } },
      }),
      other: () => ({ Name: 'named' }),
      kept: { DeliveryOptions: 'returned from then on', ReputationOptions: 'with the time of a fresh start' },
    }),
    typeCase({
      type: 'AWS::SES::ConfigurationSetEventDestination',
      needs: async (env) => ({ sets: await setsOf(env), topic: (await env.make('AWS::SNS::Topic')).id }),
      least: ({ sets: [one], topic }) => ({
        ConfigurationSetName: one,
        EventDestination: { MatchingEventTypes: ['send'], SnsDestination: { TopicARN: topic } },
      }),
      most: () => ({
        EventDestination: {
          Enabled: true,
          MatchingEventTypes: ['bounce', 'renderingFailure'],
          CloudWatchDestination: {
            DimensionConfigurations: [
              { DefaultDimensionValue: 'none', DimensionName: 'campaign', DimensionValueSource: 'messageTag' },
            ],
          },
        },
      }),
      other: ({ sets: [, two] }) => ({ ConfigurationSetName: two }),
    }),
    typeCase({
      type: 'AWS::SES::ContactList',
      least: () => ({}),
      most: () => ({
        Description: 'described',
        Tags: TAGS,
        Topics: [{ TopicName: 'news', DisplayName: 'News', DefaultSubscriptionStatus: 'OPT_IN' }],
      }),
      other: () => ({ ContactListName: 'named' }),
      single: true,
    }),
    typeCase({
      type: 'AWS::SES::CustomVerificationEmailTemplate',
      needs: async (env) => domainOf(env, 'from@example.com'),
      least: (FromEmailAddress) => ({
        TemplateName: 'one',
        FromEmailAddress,
        TemplateSubject: 'subject',
        TemplateContent: '<p>text</p>',
        SuccessRedirectionURL: 'https://example.com/yes',
        FailureRedirectionURL: 'https://example.com/no',
      }),
      most: () => ({
        TemplateSubject: 'other subject',
        TemplateContent: '<p>other text</p>',
        SuccessRedirectionURL: 'https://example.com/yes2',
        FailureRedirectionURL: 'https://example.com/no2',
        Tags: TAGS,
      }),
      other: () => ({ TemplateName: 'two' }),
    }),
    typeCase({
      type: 'AWS::SES::DedicatedIpPool',
      least: () => ({}),
      most: () => ({ Tags: TAGS }),
      other: () => ({ PoolName: 'named', ScalingMode: 'MANAGED' }),
    }),
    typeCase({
      type: 'AWS::SES::EmailIdentity',
      needs: async (env) => (await setsOf(env))[0],
      least: () => ({ EmailIdentity: 'one.example.com' }),
      most: (set) => ({
        ConfigurationSetAttributes: { ConfigurationSetName: set },
        DkimAttributes: { SigningEnabled: false },
        DkimSigningAttributes: { NextSigningKeyLength: 'RSA_1024_BIT' },
        FeedbackAttributes: { EmailForwardingEnabled: false },
        MailFromAttributes: { MailFromDomain: 'mail.one.example.com', BehaviorOnMxFailure: 'REJECT_MESSAGE' },
        Tags: TAGS,
      }),
      other: () => ({
        EmailIdentity: 'two.example.com',
        MailFromAttributes: { MailFromDomain: 'mail.two.example.com', BehaviorOnMxFailure: 'REJECT_MESSAGE' },
      }),
    }),
    typeCase({
      type: 'AWS::SES::MultiRegionEndpoint',
      least: () => ({ EndpointName: 'one', Details: { RouteDetails: [{ Region: 'eu-west-1' }] } }),
      most: () => ({ Tags: TAGS }),
      other: () => ({ EndpointName: 'two', Details: { RouteDetails: [{ Region: 'eu-west-2' }] } }),
    }),
    typeCase({
      type: 'AWS::SES::ReceiptFilter',
      least: () => ({ Filter: { IpFilter: { Cidr: '192.0.2.0/24', Policy: 'Block' } } }),
      other: () => ({ Filter: { Name: 'named', IpFilter: { Cidr: '192.0.2.0/24', Policy: 'Allow' } } }),
    }),
    typeCase({
      type: 'AWS::SES::ReceiptRuleSet',
      least: () => ({}),
      other: () => ({ RuleSetName: 'named' }),
    }),
    typeCase({
      type: 'AWS::SES::ReceiptRule',
      needs: async (env) => {
        const set = (await env.make('AWS::SES::ReceiptRuleSet')).id;
        const topic = (await env.make('AWS::SNS::Topic')).id;
        await env.make('AWS::SES::ReceiptRule', { RuleSetName: set, Rule: { Name: 'first' } });
        return { set, topic };
      },
      least: ({ set }) => ({ RuleSetName: set, Rule: { Enabled: true } }),
      most: ({ topic }) => ({
        After: 'first',
        Rule: {
          Actions: [{ SNSAction: { TopicArn: topic, Encoding: 'UTF-8' } }],
          Recipients: ['example.com'],
          ScanEnabled: true,
          TlsPolicy: 'Require',
        },
      }),
    }),
    typeCase({
      type: 'AWS::SES::Template',
      least: () => ({ Template: { SubjectPart: 'subject', TextPart: 'text' } }),
      most: () => ({ Template: { SubjectPart: 'other', HtmlPart: '<p>html</p>' }, Tags: TAGS }),
      other: () => ({ Template: { TemplateName: 'named', SubjectPart: 'subject', TextPart: 'text' } }),
    }),
    typeCase({
      type: 'AWS::SES::Tenant',
      needs: async (env) =>
        `arn:aws:ses:us-east-1:${env.emulator.kernel.settings.accountId}:configuration-set/${(await setsOf(env))[0]}`,
      least: () => ({ TenantName: 'one' }),
      most: (ResourceArn) => ({ ResourceAssociations: [{ ResourceArn }], Tags: TAGS }),
      other: () => ({ TenantName: 'two' }),
    }),
    typeCase({
      type: 'AWS::SES::VdmAttributes',
      least: () => ({}),
      most: () => ({
        DashboardAttributes: { EngagementMetrics: 'ENABLED' },
        GuardianAttributes: { OptimizedSharedDelivery: 'ENABLED' },
      }),
      single: true,
    }),
  ],
);
