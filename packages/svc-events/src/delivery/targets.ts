import { type CallOptions, type DeepReadonly, parseArn, type ServiceCaller } from '@emu/core/service';
import type { EcsParameters, Target } from '@emu/service-types/events';
import { isObject, parseJson } from '@emu/wire';
import type { BusEvent } from '../event.ts';
import { JSON_PATHS } from '../rules/json-path.ts';

/** Request to a service that delivers an event. */
export interface TargetCall {
  /** Sends the request. @throws AwsError from the operation */
  send(caller: ServiceCaller, options: CallOptions): Promise<unknown>;
  accountId: string;
  region: string;
  /** Services whose resource policy must allow EventBridge. Others need the target's role. */
  byPolicy?: true;
}

/** Delivery of an event to a target. */
export interface TargetDelivery {
  target: DeepReadonly<Target>;
  event: BusEvent;
  /** Input for the target, as text. */
  input: string;
}

type Arn = NonNullable<ReturnType<typeof parseArn>>;
type Call = Omit<TargetCall, 'accountId' | 'region'>;

/** Returns the input as JSON if it is an object, for operations with user-defined parameters. */
function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = parseJson(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const afterSlash = (resource: string): string => resource.slice(resource.lastIndexOf('/') + 1);

/**
 * How to call the targets of each service. `callJson` is used where users write the operation's parameters themselves.
 */
const CALLS: Record<string, (arn: Arn, delivery: TargetDelivery) => Call> = {
  sqs: (arn, { target, input }) => {
    const group = target.SqsParameters?.MessageGroupId;
    const message = {
      QueueUrl: `http://sqs.${arn.region}/${arn.accountId}/${arn.resource}`,
      MessageBody: input,
      ...(group !== undefined && { MessageGroupId: group }),
    };
    return { send: (caller, options) => caller.call('sqs', 'SendMessage', message, options), byPolicy: true };
  },
  sns: (_arn, { target, input }) => {
    const message = { TopicArn: target.Arn, Message: input };
    return { send: (caller, options) => caller.call('sns', 'Publish', message, options), byPolicy: true };
  },
  lambda: (_arn, { target, input }) => {
    const invocation = { FunctionName: target.Arn, InvocationType: 'Event', Payload: Buffer.from(input) } as const;
    return { send: (caller, options) => caller.call('lambda', 'Invoke', invocation, options), byPolicy: true };
  },
  kinesis: (arn, { target, event, input }) => {
    const path = target.KinesisParameters?.PartitionKeyPath;
    const value = path === undefined ? undefined : JSON_PATHS.valueAt(objectOf(input), path);
    const record = {
      StreamARN: target.Arn,
      StreamName: afterSlash(arn.resource),
      Data: Buffer.from(input),
      PartitionKey: value === undefined ? event.id : String(value),
    };
    return { send: (caller, options) => caller.call('kinesis', 'PutRecord', record, options) };
  },
  firehose: (arn, { input }) => {
    const record = { DeliveryStreamName: afterSlash(arn.resource), Record: { Data: Buffer.from(input) } };
    return { send: (caller, options) => caller.call('firehose', 'PutRecord', record, options) };
  },
  states: (_arn, { target, input }) => {
    const execution = { stateMachineArn: target.Arn, input };
    return { send: (caller, options) => caller.call('stepfunctions', 'StartExecution', execution, options) };
  },
  ecs: (_arn, { target, input }) =>
    fromJson('ecs', 'RunTask', {
      ...objectOf(input),
      ...(target.EcsParameters && taskOf(target.EcsParameters)),
      cluster: target.Arn,
      startedBy: 'events-rule',
    }),
  codebuild: (arn, { input }) =>
    fromJson('codebuild', 'StartBuild', { ...objectOf(input), projectName: afterSlash(arn.resource) }),
  codepipeline: ({ resource: name }) => ({
    send: (caller, options) => caller.call('codepipeline', 'StartPipelineExecution', { name }, options),
  }),
  batch: (_arn, { target }) => {
    const { JobDefinition, JobName, ArrayProperties, RetryStrategy } = target.BatchParameters!;
    const job = {
      jobName: JobName,
      jobQueue: target.Arn,
      jobDefinition: JobDefinition,
      arrayProperties: ArrayProperties && { size: ArrayProperties.Size },
      retryStrategy: RetryStrategy && { attempts: RetryStrategy.Attempts },
    };
    return { send: (caller, options) => caller.call('batch', 'SubmitJob', job, options) };
  },
  ssm: (arn, { target, input }) =>
    arn.resource.startsWith('automation-definition/')
      ? fromJson('ssm', 'StartAutomationExecution', {
          DocumentName: arn.resource.slice('automation-definition/'.length).split(':')[0],
          Parameters: objectOf(input),
        })
      : fromJson('ssm', 'SendCommand', {
          DocumentName: afterSlash(arn.resource),
          Targets: target.RunCommandParameters?.RunCommandTargets,
          Parameters: objectOf(input),
        }),
  // Glue operation without a public client method.
  glue: (arn, { event }) => fromJson('glue', 'NotifyEvent', { Name: afterSlash(arn.resource), EventId: event.id }),
  'redshift-data': redshift,
  redshift,
  sagemaker: (arn, { target, event }) => {
    const parameters = target.SageMakerPipelineParameters?.PipelineParameterList;
    const execution = {
      PipelineName: afterSlash(arn.resource),
      PipelineParameters: parameters?.map(({ Name, Value }) => ({ Name, Value })),
      ClientRequestToken: event.id,
    };
    return { send: (caller, options) => caller.call('sagemaker', 'StartPipelineExecution', execution, options) };
  },
  inspector: (_arn, { target }) => {
    const run = { assessmentTemplateArn: target.Arn };
    return { send: (caller, options) => caller.call('inspector', 'StartAssessmentRun', run, options) };
  },
};

/** Returns the RunTask parameters of ECS for a target's parameters. */
function taskOf(parameters: DeepReadonly<EcsParameters>): object {
  const network = parameters.NetworkConfiguration?.awsvpcConfiguration;
  return {
    taskDefinition: parameters.TaskDefinitionArn,
    count: parameters.TaskCount ?? 1,
    launchType: parameters.LaunchType,
    networkConfiguration: network && {
      awsvpcConfiguration: {
        subnets: network.Subnets,
        securityGroups: network.SecurityGroups,
        assignPublicIp: network.AssignPublicIp,
      },
    },
    platformVersion: parameters.PlatformVersion,
    group: parameters.Group,
    capacityProviderStrategy: parameters.CapacityProviderStrategy,
    enableECSManagedTags: parameters.EnableECSManagedTags,
    enableExecuteCommand: parameters.EnableExecuteCommand,
    placementConstraints: parameters.PlacementConstraints,
    placementStrategy: parameters.PlacementStrategy,
    propagateTags: parameters.PropagateTags,
    referenceId: parameters.ReferenceId,
    tags: parameters.Tags?.map(({ Key, Value }) => ({ key: Key, value: Value })),
  };
}

function fromJson(service: string, operation: string, json: object): Call {
  return { send: (caller, options) => caller.callJson(service, operation, json, options) };
}

function redshift(arn: Arn, { target, event }: TargetDelivery): Call {
  const { Database, DbUser, SecretManagerArn, Sql, Sqls, StatementName, WithEvent } =
    target.RedshiftDataParameters ?? {};
  return fromJson('redshift-data', Sqls ? 'BatchExecuteStatement' : 'ExecuteStatement', {
    ClusterIdentifier: arn.service === 'redshift' ? arn.resource.split(':').at(-1) : undefined,
    WorkgroupName: arn.service === 'redshift' ? undefined : afterSlash(arn.resource),
    Database,
    DbUser,
    SecretArn: SecretManagerArn,
    StatementName,
    WithEvent,
    ...(Sqls ? { Sqls } : { Sql }),
    ClientToken: event.id,
  });
}

/**
 * Returns the request that delivers an event to a target; undefined for targets without an operation, such as API
 * destinations.
 */
export function callFor(delivery: TargetDelivery): TargetCall | undefined {
  const arn = parseArn(delivery.target.Arn);
  const call = arn && CALLS[arn.service]?.(arn, delivery);
  return call && { ...call, accountId: arn.accountId, region: arn.region };
}
