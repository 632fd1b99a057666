import { readAtMost } from '@emu/core/service';
import { AwsError, piecesOf } from '@emu/wire';
import { deferredError } from '../errors.ts';
import { parseTemplate } from '../templates/parse.ts';
import { MAX_TEMPLATE, objectAddress } from '../templates/template-url.ts';
import type { JsonObject } from '../templates/values.ts';
import type { TransformContext } from './context.ts';

const S3_URI = /^s3:\/\/([^/]+)\/(.+)$/;

/**
 * Reads the content included by `AWS::Include`.
 * @throws AwsError `ValidationError` with CloudFormation's message
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/transform-aws-include.html
 */
export async function include({ Location }: JsonObject, ctx: TransformContext): Promise<JsonObject> {
  if (typeof Location !== 'string')
    throw deferredError('Transform AWS::Include failed with: The location parameter is not a string.');
  const match = S3_URI.exec(Location);
  const address = match ? { bucket: match[1]!, key: match[2]! } : objectAddress(Location, ctx.endpoint, 'Location');
  let snippet: Buffer | undefined;
  try {
    const { Body } = await ctx.call('s3', 'GetObject', { Bucket: address.bucket, Key: address.key });
    snippet = await readAtMost(piecesOf(Body), MAX_TEMPLATE);
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    const problem = error.code === 'NoSuchBucket' ? `S3 bucket [${address.bucket}] does not exist.` : error.message;
    throw deferredError(`Transform AWS::Include failed with: ${problem}`);
  }
  if (!snippet)
    throw deferredError(
      `Transform AWS::Include failed with: The snippet may not exceed ${MAX_TEMPLATE} bytes in size.`,
    );
  return parseTemplate(snippet.toString('utf8'));
}
