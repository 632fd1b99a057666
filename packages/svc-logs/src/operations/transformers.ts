import type { InputOf, OutputOf, Processor } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalidOperation } from '../errors.ts';
import { groupIdentified } from '../lookup.ts';
import { groupType } from '../resources.ts';
import { transformAll } from '../transformers/transform-all.ts';
import { Transformer } from '../transformers/transformer.ts';

/**
 * Sets the transformer of a log group, applied to events at ingestion.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`, `InvalidOperationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutTransformer.html
 */
export function PutTransformer(input: InputOf<'PutTransformer'>, ctx: LogsContext): OutputOf<'PutTransformer'> {
  const { state, group } = groupIdentified(input.logGroupIdentifier, ctx);
  if (group.record.class !== 'STANDARD')
    throw invalidOperation('Log transformers are supported only for log groups of the STANDARD log class.');
  new Transformer(input.transformerConfig);
  const now = ctx.clock.now();
  state.transformers.put({
    group: group.name,
    config: structuredClone(input.transformerConfig),
    createdAt: state.transformers.find(group.name)?.createdAt ?? now,
    modifiedAt: now,
  });
  return {};
}

/**
 * Returns the transformer of a log group; empty if it has none.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetTransformer.html
 */
export function GetTransformer(input: InputOf<'GetTransformer'>, ctx: LogsContext): OutputOf<'GetTransformer'> {
  const { state, group } = groupIdentified(input.logGroupIdentifier, ctx);
  const transformer = state.transformers.find(group.name);
  if (!transformer) return {};
  return {
    logGroupIdentifier: groupType.arn({ name: group.name }, state),
    creationTime: transformer.createdAt,
    lastModifiedTime: transformer.modifiedAt,
    transformerConfig: structuredClone(transformer.config) as Processor[],
  };
}

/**
 * Deletes the transformer of a log group; transformed events stay transformed.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteTransformer.html
 */
export function DeleteTransformer(
  input: InputOf<'DeleteTransformer'>,
  ctx: LogsContext,
): OutputOf<'DeleteTransformer'> {
  const { state, group } = groupIdentified(input.logGroupIdentifier, ctx);
  state.transformers.delete(group.name);
  return {};
}

/** Source metadata of an event outside of log groups. */
const NOWHERE = { group: '', stream: '' };

/**
 * Applies processors to messages.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_TestTransformer.html
 */
export async function TestTransformer(
  input: InputOf<'TestTransformer'>,
  ctx: LogsContext,
): Promise<OutputOf<'TestTransformer'>> {
  const transformer = new Transformer(input.transformerConfig);
  const { accountId, region } = ctx;
  const messages = input.logEventMessages;
  const transformed = await transformAll(transformer, messages, { ...NOWHERE, accountId, region });
  return {
    transformedLogs: messages.map((eventMessage, index) => {
      const transformedEventMessage = transformed[index];
      return {
        eventNumber: index + 1,
        eventMessage,
        ...(transformedEventMessage !== undefined && { transformedEventMessage }),
      };
    }),
  };
}
