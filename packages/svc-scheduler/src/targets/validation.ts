import { parseArn } from '@emu/core/service';
import type { Target } from '@emu/service-types/scheduler';
import { parseJson } from '@emu/wire';
import { invalid } from '../errors.ts';
import { TEMPLATES } from './templated.ts';
import { isReadOnly, parseUniversal } from './universal.ts';

/** Target members that are valid for one service only, by the service in the target's ARN. */
const PARAMETERS = {
  EcsParameters: 'ecs',
  EventBridgeParameters: 'events',
  KinesisParameters: 'kinesis',
  SageMakerPipelineParameters: 'sagemaker',
  SqsParameters: 'sqs',
} as const;

/**
 * Checks the target of a schedule.
 * @param region of the schedule
 * @throws AwsError `ValidationException`
 */
export function checkTarget(target: Target, region: string): void {
  const universal = parseUniversal(target.Arn);
  if (universal) {
    if (isReadOnly(universal.action)) throw invalid(`${universal.action} API is not supported.`);
    if (target.Input === undefined) throw invalid('You must provide an input to set this target for your schedule.');
    checkParameters(target, undefined);
    checkJson(target.Input);
    return;
  }
  const arn = parseArn(target.Arn);
  if (!arn) throw invalid('Provided Arn is not in correct format.');
  const template = TEMPLATES[arn.service];
  if (!template) throw invalid(`${arn.service} is not a supported service for a target.`);
  if (arn.resource === '' || template.resource?.test(arn.resource) === false)
    throw invalid('Provided Arn is not in correct format.');
  if (arn.region !== region) throw invalid(`The target ARN provided does not match the current region ${region}.`);
  checkParameters(target, arn.service);
  if (template.needed && template.member && target[template.member] === undefined)
    throw mustBeSpecified(template.member);
  if (arn.service === 'sqs') checkGroup(target, arn.resource.endsWith('.fifo'));
  const { EcsParameters: ecs } = target;
  if (ecs?.LaunchType === 'FARGATE' && ecs.NetworkConfiguration === undefined)
    throw invalid('Parameter NetworkConfiguration must be specified for the target when launch type is FARGATE.');
  if (template.json && target.Input !== undefined) checkJson(target.Input);
}

const mustBeSpecified = (names: string) => invalid(`Parameters ${names} must be specified.`);

/** @param service of the target's ARN; undefined for universal targets, for which these parameters are invalid */
function checkParameters(target: Target, service: string | undefined): void {
  for (const [name, owner] of Object.entries(PARAMETERS))
    if (target[name as keyof typeof PARAMETERS] !== undefined && owner !== service)
      throw invalid(`Parameters ${name} not supported for the target.`);
}

/** Rejects a message group id for standard queues and a missing one for FIFO queues. */
function checkGroup({ SqsParameters: sqs }: Target, fifo: boolean): void {
  if (fifo && sqs?.MessageGroupId === undefined) throw mustBeSpecified('SqsParameters');
  if (!fifo && sqs?.MessageGroupId !== undefined) throw invalid('Parameters MessageGroupId not valid for the target.');
}

function checkJson(text: string): void {
  try {
    parseJson(text);
  } catch {
    throw invalid('JSON syntax error in input for the target.');
  }
}
