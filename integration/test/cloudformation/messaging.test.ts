import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { describeTypes, type Env, typeCase, typeVariant } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];
const ROLE = 'arn:aws:iam::000000000000:role/delivery';

const allow = (Action: string, Resource: string) => ({
  Version: '2012-10-17',
  Statement: [{ Sid: 'all', Effect: 'Allow', Principal: '*', Action, Resource }],
});

const queues = async (env: Env) => [await env.make('AWS::SQS::Queue'), await env.make('AWS::SQS::Queue')] as const;
const topics = async (env: Env) => [await env.make('AWS::SNS::Topic'), await env.make('AWS::SNS::Topic')] as const;

describeTypes(
  [sqs, sns, kms, iam],
  [
    typeCase({
      type: 'AWS::SQS::Queue',
      needs: async (env) => ({ dead: (await env.make('AWS::SQS::Queue', { FifoQueue: true })).attributes.Arn! }),
      least: () => ({ FifoQueue: true }),
      most: ({ dead }) => ({
        ContentBasedDeduplication: true,
        DeduplicationScope: 'messageGroup',
        DelaySeconds: 3,
        FifoThroughputLimit: 'perMessageGroupId',
        KmsDataKeyReusePeriodSeconds: 600,
        KmsMasterKeyId: 'alias/aws/sqs',
        MaximumMessageSize: 2048,
        MessageRetentionPeriod: 600,
        ReceiveMessageWaitTimeSeconds: 4,
        RedriveAllowPolicy: { redrivePermission: 'denyAll' },
        RedrivePolicy: { deadLetterTargetArn: dead, maxReceiveCount: 3 },
        Tags: TAGS,
        VisibilityTimeout: 50,
      }),
      other: () => ({ QueueName: 'named.fifo' }),
      variants: {
        'with keys of its own': typeVariant({
          least: () => ({}),
          most: () => ({ SqsManagedSseEnabled: false }),
          other: () => ({ QueueName: 'unencrypted' }),
        }),
      },
    }),
    typeCase({
      type: 'AWS::SQS::QueuePolicy',
      needs: queues,
      least: ([{ id }]) => ({ Queues: [id], PolicyDocument: allow('sqs:SendMessage', '*') }),
      most: ([{ id }, other]) => ({ Queues: [id, other.id], PolicyDocument: allow('sqs:ReceiveMessage', '*') }),
      single: true,
    }),
    typeCase({
      type: 'AWS::SQS::QueueInlinePolicy',
      needs: queues,
      least: ([{ id }]) => ({ Queue: id, PolicyDocument: allow('sqs:SendMessage', '*') }),
      most: () => ({ PolicyDocument: allow('sqs:ReceiveMessage', '*') }),
      other: ([, { id }]) => ({ Queue: id }),
    }),
    typeCase({
      type: 'AWS::SNS::Topic',
      needs: async (env) => (await env.make('AWS::SQS::Queue', { FifoQueue: true })).attributes.Arn!,
      least: () => ({ FifoTopic: true }),
      most: (queue) => ({
        ContentBasedDeduplication: true,
        DataProtectionPolicy: {
          Name: 'n',
          Version: '2021-06-01',
          Statement: [
            {
              DataDirection: 'Inbound',
              Principal: ['*'],
              DataIdentifier: ['arn:aws:dataprotection::aws:data-identifier/EmailAddress'],
              Operation: { Deny: {} },
            },
          ],
        },
        DeliveryStatusLogging: [
          { Protocol: 'http/s', FailureFeedbackRoleArn: ROLE },
          { Protocol: 'sqs', SuccessFeedbackRoleArn: ROLE, SuccessFeedbackSampleRate: '50' },
        ],
        DisplayName: 'shown',
        FifoThroughputScope: 'MessageGroup',
        KmsMasterKeyId: 'alias/aws/sns',
        SignatureVersion: '2',
        TracingConfig: 'Active',
        Subscription: [{ Protocol: 'sqs', Endpoint: queue }],
        Tags: TAGS,
      }),
      other: () => ({ TopicName: 'named.fifo' }),
      untried: { ArchivePolicy: 'a topic with an archive cannot be deleted' },
    }),
    typeCase({
      type: 'AWS::SNS::Subscription',
      needs: async (env) => {
        const topic = (await env.make('AWS::SNS::Topic')).id;
        const [one, other] = await queues(env);
        return { topic, one: one.attributes.Arn, other: other.attributes.Arn };
      },
      least: ({ topic, one }) => ({ TopicArn: topic, Protocol: 'sqs', Endpoint: one }),
      most: ({ other }) => ({
        DeliveryPolicy: { healthyRetryPolicy: { numRetries: 3, minDelayTarget: 1, maxDelayTarget: 2 } },
        FilterPolicy: { a: { b: ['c'] } },
        FilterPolicyScope: 'MessageBody',
        RawMessageDelivery: true,
        RedrivePolicy: { deadLetterTargetArn: other },
        SubscriptionRoleArn: ROLE,
      }),
      other: ({ other }) => ({ Endpoint: other, Region: 'us-east-1' }),
      unread: { Region: 'part of the ARN' },
      untried: { ReplayPolicy: 'only of FIFO topics with an archive' },
    }),
    typeCase({
      type: 'AWS::SNS::TopicPolicy',
      needs: topics,
      least: ([{ id }]) => ({ Topics: [id], PolicyDocument: allow('sns:Publish', id) }),
      most: ([{ id }]) => ({ PolicyDocument: allow('sns:Subscribe', id) }),
      other: ([, { id }]) => ({ Topics: [id], PolicyDocument: allow('sns:Publish', id) }),
    }),
    typeCase({
      type: 'AWS::SNS::TopicInlinePolicy',
      needs: topics,
      least: ([{ id }]) => ({ TopicArn: id, PolicyDocument: allow('sns:Publish', id) }),
      most: ([{ id }]) => ({ PolicyDocument: allow('sns:Subscribe', id) }),
      other: ([, { id }]) => ({ TopicArn: id, PolicyDocument: allow('sns:Publish', id) }),
    }),
  ],
);
