import type { EmptiableMembers } from '@emu/core/service';
import type { PipesOperations } from '@emu/service-types/pipes';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<PipesOperations> = {
  CreatePipe: [
    'SourceParameters.FilterCriteria.Filters[].Pattern',
    'SourceParameters.SqsQueueParameters',
    'TargetParameters.LambdaFunctionParameters',
    'TargetParameters.StepFunctionStateMachineParameters',
    'TargetParameters.HttpParameters',
    'TargetParameters.SageMakerPipelineParameters',
    'TargetParameters.EventBridgeEventBusParameters',
    'TargetParameters.CloudWatchLogsParameters',
    'TargetParameters.SqsQueueParameters',
  ],
  UpdatePipe: [
    'SourceParameters.FilterCriteria.Filters[].Pattern',
    'SourceParameters.KinesisStreamParameters',
    'SourceParameters.DynamoDBStreamParameters',
    'SourceParameters.ManagedStreamingKafkaParameters',
    'SourceParameters.SelfManagedKafkaParameters',
    'SourceParameters.SqsQueueParameters',
    'TargetParameters.LambdaFunctionParameters',
    'TargetParameters.StepFunctionStateMachineParameters',
    'TargetParameters.HttpParameters',
    'TargetParameters.SageMakerPipelineParameters',
    'TargetParameters.EventBridgeEventBusParameters',
    'TargetParameters.CloudWatchLogsParameters',
    'TargetParameters.SqsQueueParameters',
  ],
};
