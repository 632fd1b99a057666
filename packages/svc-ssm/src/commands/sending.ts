import { createHash } from 'node:crypto';
import { isRoleArn } from '@emu/core/service';
import type { SendCommandRequest } from '@emu/service-types/ssm';
import type { SsmContext } from '../context.ts';
import { parameterProblem } from '../documents/parameters.ts';
import { type ResolvedDocument, resolveDocument } from '../documents/resolve.ts';
import { notManaged, ssmError } from '../errors.ts';
import type { Node } from '../nodes/nodes.ts';
import { invalidParameters, targetTest } from '../nodes/targets.ts';
import { pluginsOf } from './plan.ts';
import type { CommandRecord } from './records.ts';

/** Default delivery timeout, in seconds. */
const DELIVERY_TIMEOUT = 3600;
const DEFAULT_CONCURRENCY = '50';

/**
 * Validates the parameters of a command.
 * @throws AwsError `InvalidParameters`
 */
export function checkCommandParameters(
  { content, name }: ResolvedDocument,
  given: Readonly<Record<string, readonly string[]>>,
): void {
  const problem = parameterProblem(content, given);
  switch (problem?.code) {
    case 'missing':
      throw invalidParameters(`Parameter "${problem.name}" requires a value.`);
    case 'unknown':
      throw invalidParameters(
        content.parameters === undefined
          ? `document ${name} does not support parameters.`
          : `Parameter "${problem.name}" is not defined in the document ${name}.`,
      );
    case 'value':
      throw invalidParameters(problem.message);
  }
}

/** Returns the hash of a document's content, in hexadecimal digits. */
const hashOf = ({ version }: ResolvedDocument, type: SendCommandRequest['DocumentHashType']): string =>
  type === 'Sha1' ? createHash('sha1').update(version.content).digest('hex') : version.hash;

/**
 * Returns the nodes of a request.
 * @throws AwsError `InvalidInstanceId`, `DuplicateInstanceId`, `InvalidParameters`
 */
async function nodesOf({ InstanceIds = [], Targets = [] }: SendCommandRequest, ctx: SsmContext): Promise<Node[]> {
  if (InstanceIds.length === 0 && Targets.length === 0)
    throw invalidParameters('A command needs InstanceIds or Targets.');
  if (InstanceIds.length > 0 && Targets.length > 0)
    throw invalidParameters("InstanceIds and Targets can't be specified together.");
  const nodes = await ctx.state.nodes.list();
  if (InstanceIds.length > 0) {
    if (new Set(InstanceIds).size < InstanceIds.length)
      throw ssmError('DuplicateInstanceId', 'An instance id is specified more than once.');
    const found = InstanceIds.map((id) => nodes.find((node) => node.id === id));
    const missing = InstanceIds.filter((_id, index) => !found[index]);
    if (missing.length > 0) throw notManaged(missing, ctx.accountId);
    return found as Node[];
  }
  const tests = await Promise.all(Targets.map((target) => targetTest(target, ctx)));
  return nodes.filter((node) => tests.every((test) => test(node)));
}

/**
 * Checks that the output bucket exists.
 * @throws AwsError `InvalidOutputFolder` if it does not
 */
async function checkBucket(Bucket: string | undefined, ctx: SsmContext): Promise<void> {
  if (Bucket === undefined) return;
  try {
    await ctx.call('s3', 'HeadBucket', { Bucket });
  } catch (error) {
    const { status } = error as { status?: number };
    if (status === 404) throw ssmError('InvalidOutputFolder', "The S3 bucket doesn't exist.");
  }
}

function checkNotification({ NotificationConfig: config, ServiceRoleArn }: SendCommandRequest): void {
  if (ServiceRoleArn !== undefined && !isRoleArn(ServiceRoleArn))
    throw ssmError('InvalidRole', `The service role ${ServiceRoleArn} is not the ARN of a role.`);
  if (!config?.NotificationArn) return;
  if (!/^arn:aws[a-z-]*:sns:/.test(config.NotificationArn))
    throw ssmError('InvalidNotificationConfig', `${config.NotificationArn} is not the ARN of an Amazon SNS topic.`);
  if (ServiceRoleArn === undefined) throw ssmError('InvalidRole', 'A service role is required for notifications.');
}

/**
 * Validates a request and returns the record of its command.
 * @throws AwsError as SendCommand does
 */
export async function makeCommand(input: SendCommandRequest, ctx: SsmContext): Promise<CommandRecord> {
  const document = resolveDocument(ctx.state, input.DocumentName, input.DocumentVersion);
  if (document.type !== 'Command')
    throw ssmError('InvalidDocument', `Document ${input.DocumentName} is not of type Command.`);
  if (input.DocumentHash !== undefined && input.DocumentHash.toLowerCase() !== hashOf(document, input.DocumentHashType))
    throw ssmError('InvalidDocument', `The hash of document ${input.DocumentName} does not match.`);
  const parameters = input.Parameters ?? {};
  checkCommandParameters(document, parameters);
  checkNotification(input);
  const nodes = await nodesOf(input, ctx);
  const { platformTypes } = document.version.summary;
  const other = nodes.filter(({ platform }) => platformTypes.length > 0 && !platformTypes.includes(platform));
  if (input.InstanceIds?.length && other.length > 0)
    throw ssmError(
      'UnsupportedPlatformType',
      `The document doesn't support the platform type of the given managed node IDs: ${other.map(({ id }) => id).join(', ')}.`,
    );
  await checkBucket(input.OutputS3BucketName, ctx);
  const plugins = pluginsOf(document.content, parameters);
  const now = Math.floor(ctx.clock.now());
  const { TimeoutSeconds = DELIVERY_TIMEOUT } = input;
  const execution = Math.max(0, ...plugins.map(({ timeout }) => timeout));
  const none = nodes.length === 0;
  return {
    id: ctx.ids.uuid(),
    documentName: document.name,
    documentVersion: input.DocumentVersion ?? '$DEFAULT',
    content: JSON.stringify(document.content),
    comment: input.Comment ?? '',
    parameters: Object.fromEntries(Object.entries(parameters).map(([name, values]) => [name, [...values]])),
    instanceIds: [...(input.InstanceIds ?? [])],
    targets: input.Targets ?? [],
    requestedAt: now,
    deliverBy: now + TimeoutSeconds * 1000,
    expiresAt: now + (TimeoutSeconds + execution) * 1000,
    timeoutSeconds: TimeoutSeconds,
    status: none ? 'Success' : 'Pending',
    statusDetails: none ? 'NoInstancesInTag' : 'Pending',
    ...(input.OutputS3BucketName !== undefined && { bucket: input.OutputS3BucketName }),
    ...(input.OutputS3KeyPrefix !== undefined && { bucketPrefix: input.OutputS3KeyPrefix }),
    ...(input.OutputS3Region !== undefined && { bucketRegion: input.OutputS3Region }),
    maxConcurrency: input.MaxConcurrency ?? DEFAULT_CONCURRENCY,
    maxErrors: input.MaxErrors ?? '0',
    ...(input.ServiceRoleArn !== undefined && { serviceRole: input.ServiceRoleArn }),
    ...(input.NotificationConfig && { notification: input.NotificationConfig }),
    ...(input.CloudWatchOutputConfig && { cloudWatch: input.CloudWatchOutputConfig }),
    ...(input.AlarmConfiguration && { alarms: input.AlarmConfiguration }),
    invocations: nodes.map(({ id, name = '' }) => ({
      instanceId: id,
      instanceName: name,
      status: 'Pending',
      statusDetails: 'Pending',
      plugins: plugins.map((plugin) => ({
        name: plugin.name,
        action: plugin.action,
        status: 'Pending',
        statusDetails: 'Pending',
        responseCode: -1,
        stdout: '',
        stderr: '',
      })),
    })),
    principal: { ...ctx.principal },
    cause: ctx.requestId,
  };
}
