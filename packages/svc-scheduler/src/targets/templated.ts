import type { Arn, DeepReadonly } from '@emu/core/service';
import type { TargetRecord } from '../records.ts';
import type { UniversalTarget } from './universal.ts';

/** Templated target: a target type for which AWS defines the operation to call. */
export interface TemplatedTarget extends UniversalTarget {
  /** Returns the input of the operation, in the JSON form of `ServiceCaller.callJson`. */
  parameters(call: TemplatedCall): object;
  /** Target member that holds the parameters of this template, and whether it is required. */
  readonly member?: 'EcsParameters' | 'EventBridgeParameters' | 'KinesisParameters' | 'SageMakerPipelineParameters';
  readonly needed?: true;
  /** Whether the input must be JSON. */
  readonly json?: true;
  /** Pattern of the resource part of the target's ARN. */
  readonly resource?: RegExp;
}

/** Values for a template. */
export interface TemplatedCall {
  target: DeepReadonly<TargetRecord>;
  arn: Arn;
  input: string;
  scheduleArn: string;
}

const afterSlash = (resource: string): string => resource.slice(resource.lastIndexOf('/') + 1);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/**
 * Templated targets by the service in the target's ARN.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-targets-templated.html
 */
export const TEMPLATES: Readonly<Record<string, TemplatedTarget>> = {
  sqs: {
    sdk: 'sqs',
    action: 'sendMessage',
    parameters: ({ target, arn, input }) => ({
      MessageBody: input,
      QueueUrl: `https://sqs.${arn.region}.amazonaws.com/${arn.accountId}/${arn.resource}`,
      MessageGroupId: target.SqsParameters?.MessageGroupId,
    }),
  },
  sns: {
    sdk: 'sns',
    action: 'publish',
    parameters: ({ target, input }) => ({ Message: input, TopicArn: target.Arn }),
  },
  lambda: {
    sdk: 'lambda',
    action: 'invoke',
    json: true,
    resource: /^function:/,
    parameters: ({ target, input }) => ({ FunctionName: target.Arn, InvocationType: 'Event', Payload: base64(input) }),
  },
  states: {
    sdk: 'sfn',
    action: 'startExecution',
    json: true,
    resource: /^stateMachine:/,
    parameters: ({ target, input }) => ({ input, stateMachineArn: target.Arn }),
  },
  events: {
    sdk: 'eventbridge',
    action: 'putEvents',
    json: true,
    member: 'EventBridgeParameters',
    needed: true,
    resource: /^event-bus\//,
    parameters: ({ target, input, scheduleArn }) => ({
      Entries: [
        {
          Source: target.EventBridgeParameters?.Source,
          DetailType: target.EventBridgeParameters?.DetailType,
          Detail: input,
          EventBusName: target.Arn,
          Resources: [scheduleArn],
        },
      ],
    }),
  },
  kinesis: {
    sdk: 'kinesis',
    action: 'putRecord',
    member: 'KinesisParameters',
    needed: true,
    resource: /^stream\//,
    parameters: ({ target, input }) => ({
      StreamARN: target.Arn,
      Data: base64(input),
      PartitionKey: target.KinesisParameters?.PartitionKey,
    }),
  },
  firehose: {
    sdk: 'firehose',
    action: 'putRecord',
    resource: /^deliverystream\//,
    parameters: ({ arn, input }) => ({
      DeliveryStreamName: afterSlash(arn.resource),
      Record: { Data: base64(input) },
    }),
  },
  ecs: {
    sdk: 'ecs',
    action: 'runTask',
    member: 'EcsParameters',
    needed: true,
    resource: /^cluster\//,
    parameters: ({ target, input }) => runTask(target, input),
  },
  codebuild: {
    sdk: 'codebuild',
    action: 'startBuild',
    resource: /^project\//,
    parameters: ({ arn }) => ({ projectName: afterSlash(arn.resource) }),
  },
  codepipeline: {
    sdk: 'codepipeline',
    action: 'startPipelineExecution',
    parameters: ({ arn }) => ({ name: arn.resource }),
  },
  inspector: {
    sdk: 'inspector',
    action: 'startAssessmentRun',
    resource: /^target\//,
    parameters: ({ target }) => ({ assessmentTemplateArn: target.Arn }),
  },
  sagemaker: {
    sdk: 'sagemaker',
    action: 'startPipelineExecution',
    member: 'SageMakerPipelineParameters',
    resource: /^pipeline\//,
    parameters: ({ target, arn }) => ({
      PipelineName: afterSlash(arn.resource),
      PipelineParameters: target.SageMakerPipelineParameters?.PipelineParameterList,
    }),
  },
};

/** Returns the parameters of a task, with the overrides from the input. */
function runTask({ Arn: cluster, EcsParameters }: DeepReadonly<TargetRecord>, input: string): object {
  const parameters = EcsParameters!;
  const network = parameters.NetworkConfiguration?.awsvpcConfiguration;
  return {
    cluster,
    taskDefinition: parameters.TaskDefinitionArn,
    count: parameters.TaskCount ?? 1,
    capacityProviderStrategy: parameters.CapacityProviderStrategy,
    enableECSManagedTags: parameters.EnableECSManagedTags,
    enableExecuteCommand: parameters.EnableExecuteCommand,
    group: parameters.Group,
    launchType: parameters.LaunchType,
    networkConfiguration: network && {
      awsvpcConfiguration: {
        assignPublicIp: network.AssignPublicIp,
        securityGroups: network.SecurityGroups,
        subnets: network.Subnets,
      },
    },
    overrides: overridesIn(input),
    placementConstraints: parameters.PlacementConstraints,
    placementStrategy: parameters.PlacementStrategy,
    platformVersion: parameters.PlatformVersion,
    propagateTags: parameters.PropagateTags,
    referenceId: parameters.ReferenceId,
    tags: parameters.Tags?.flatMap((tags) => Object.entries(tags).map(([key, value]) => ({ key, value }))),
  };
}

/** Returns the container overrides of a JSON input. A task uses no other part of the input. */
function overridesIn(input: string): unknown {
  try {
    const { containerOverrides } = JSON.parse(input) as { containerOverrides?: unknown };
    return containerOverrides === undefined ? undefined : { containerOverrides };
  } catch {
    return undefined;
  }
}
