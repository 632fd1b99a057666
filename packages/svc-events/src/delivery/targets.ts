import { type DeepReadonly, parseArn } from '@emu/core';
import type { Target } from '@emu/service-types/events';
import type { BusEvent } from '../event.ts';
import { valueAt } from '../json-path.ts';

/** A call of another service that delivers an event. */
export interface TargetCall {
  service: string;
  operation: string;
  input: unknown;
  accountId: string;
  region: string;
  /** Services of which the policy of the resource has to let EventBridge in; others need the target's role. */
  byPolicy?: true;
}

/** An event on its way to a target. */
export interface TargetDelivery {
  target: DeepReadonly<Target>;
  event: BusEvent;
  /** What the target gets, as text. */
  input: string;
}

type Arn = NonNullable<ReturnType<typeof parseArn>>;
type Call = Omit<TargetCall, 'accountId' | 'region'>;

/** The text as JSON where it is an object, for operations that take parameters of their own. */
function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

const afterSlash = (resource: string): string => resource.slice(resource.lastIndexOf('/') + 1);

/** How the targets of each service are called. */
const CALLS: Record<string, (arn: Arn, delivery: TargetDelivery) => Call | undefined> = {
  sqs: (arn, { target, input }) => ({
    service: 'sqs',
    operation: 'SendMessage',
    input: {
      QueueUrl: `http://sqs.${arn.region}/${arn.accountId}/${arn.resource}`,
      MessageBody: input,
      ...(target.SqsParameters?.MessageGroupId === undefined
        ? {}
        : { MessageGroupId: target.SqsParameters.MessageGroupId }),
    },
    byPolicy: true,
  }),
  sns: (_arn, { target, input }) => ({
    service: 'sns',
    operation: 'Publish',
    input: { TopicArn: target.Arn, Message: input },
    byPolicy: true,
  }),
  lambda: (_arn, { target, input }) => ({
    service: 'lambda',
    operation: 'Invoke',
    input: { FunctionName: target.Arn, InvocationType: 'Event', Payload: Buffer.from(input) },
    byPolicy: true,
  }),
  kinesis: (arn, { target, event, input }) => {
    const path = target.KinesisParameters?.PartitionKeyPath;
    const value = path === undefined ? undefined : valueAt(objectOf(input), path);
    return {
      service: 'kinesis',
      operation: 'PutRecord',
      input: {
        StreamARN: target.Arn,
        StreamName: afterSlash(arn.resource),
        Data: Buffer.from(input),
        PartitionKey: value === undefined ? event.id : String(value),
      },
    };
  },
  firehose: (arn, { input }) => ({
    service: 'firehose',
    operation: 'PutRecord',
    input: { DeliveryStreamName: afterSlash(arn.resource), Record: { Data: Buffer.from(input) } },
  }),
  states: (_arn, { target, input }) => ({
    service: 'stepfunctions',
    operation: 'StartExecution',
    input: { stateMachineArn: target.Arn, input },
  }),
  ecs: (_arn, { target, input }) => {
    const { TaskDefinitionArn, TaskCount, LaunchType, NetworkConfiguration, PlatformVersion, Group } =
      target.EcsParameters ?? {};
    return {
      service: 'ecs',
      operation: 'RunTask',
      input: {
        ...objectOf(input),
        cluster: target.Arn,
        taskDefinition: TaskDefinitionArn,
        count: TaskCount ?? 1,
        launchType: LaunchType,
        networkConfiguration: NetworkConfiguration,
        platformVersion: PlatformVersion,
        group: Group,
        startedBy: 'events-rule',
      },
    };
  },
  codebuild: (arn, { input }) => ({
    service: 'codebuild',
    operation: 'StartBuild',
    input: { ...objectOf(input), projectName: afterSlash(arn.resource) },
  }),
  codepipeline: (arn) => ({
    service: 'codepipeline',
    operation: 'StartPipelineExecution',
    input: { name: arn.resource },
  }),
  batch: (_arn, { target }) => {
    const { JobDefinition, JobName, ArrayProperties, RetryStrategy } = target.BatchParameters ?? {};
    return {
      service: 'batch',
      operation: 'SubmitJob',
      input: {
        jobName: JobName,
        jobQueue: target.Arn,
        jobDefinition: JobDefinition,
        arrayProperties: ArrayProperties && { size: ArrayProperties.Size },
        retryStrategy: RetryStrategy && { attempts: RetryStrategy.Attempts },
      },
    };
  },
  ssm: (arn, { target, input }) =>
    arn.resource.startsWith('automation-definition/')
      ? {
          service: 'ssm',
          operation: 'StartAutomationExecution',
          input: {
            DocumentName: arn.resource.slice('automation-definition/'.length).split(':')[0],
            Parameters: objectOf(input),
          },
        }
      : {
          service: 'ssm',
          operation: 'SendCommand',
          input: {
            DocumentName: afterSlash(arn.resource),
            Targets: target.RunCommandParameters?.RunCommandTargets,
            Parameters: objectOf(input),
          },
        },
  glue: (arn, { event }) => ({
    service: 'glue',
    operation: 'NotifyEvent',
    input: { Name: afterSlash(arn.resource), EventId: event.id },
  }),
  'redshift-data': redshift,
  redshift,
  sagemaker: (arn, { target }) => ({
    service: 'sagemaker',
    operation: 'StartPipelineExecution',
    input: {
      PipelineName: afterSlash(arn.resource),
      PipelineParameters: target.SageMakerPipelineParameters?.PipelineParameterList,
    },
  }),
  inspector: (_arn, { target }) => ({
    service: 'inspector',
    operation: 'StartAssessmentRun',
    input: { assessmentTemplateArn: target.Arn },
  }),
};

function redshift(arn: Arn, { target, event }: TargetDelivery): Call {
  const { Database, DbUser, SecretManagerArn, Sql, Sqls, StatementName, WithEvent } =
    target.RedshiftDataParameters ?? {};
  return {
    service: 'redshift-data',
    operation: Sqls ? 'BatchExecuteStatement' : 'ExecuteStatement',
    input: {
      ClusterIdentifier: arn.service === 'redshift' ? arn.resource.split(':').at(-1) : undefined,
      WorkgroupName: arn.service === 'redshift' ? undefined : afterSlash(arn.resource),
      Database,
      DbUser,
      SecretArn: SecretManagerArn,
      StatementName,
      WithEvent,
      ...(Sqls ? { Sqls } : { Sql }),
      ClientToken: event.id,
    },
  };
}

/** The call that delivers an event to a target; undefined where no operation does, as with API destinations. */
export function callFor(delivery: TargetDelivery): TargetCall | undefined {
  const arn = parseArn(delivery.target.Arn);
  const call = arn && CALLS[arn.service]?.(arn, delivery);
  return call && { ...call, accountId: arn.accountId, region: arn.region };
}
