import { type ProviderContext, partitionOf, readAtMost } from '@emu/core/service';
import { piecesOf } from '@emu/wire';

/**
 * Maximum bytes of an API definition.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const MAX_DEFINITION = 6 * 1024 * 1024;

/** Location of an API definition in S3. */
export interface DefinitionLocation {
  readonly Bucket: string;
  readonly Key: string;
  readonly Version?: string;
  /** ETag that the object must have. */
  readonly ETag?: string;
}

/**
 * Replaces the AWS variables in an API definition that is imported.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/import-api-aws-variables.html
 */
export function withVariables(text: string, { accountId, region }: { accountId: string; region: string }): string {
  const values: Readonly<Record<string, string>> = {
    AccountId: accountId,
    Partition: partitionOf(region),
    Region: region,
  };
  return text.replace(/\$\{AWS::(AccountId|Partition|Region)\}/g, (_, name: string) => values[name]!);
}

/**
 * Reads an API definition from S3 on behalf of the caller of a stack operation.
 * @throws Error if it is too large
 * @throws AwsError of S3
 */
export async function readDefinition(
  { Bucket, Key, Version, ETag }: DefinitionLocation,
  ctx: Pick<ProviderContext, 'call'>,
): Promise<string> {
  const { Body } = await ctx.call('s3', 'GetObject', {
    Bucket,
    Key,
    ...(Version !== undefined && { VersionId: Version }),
    ...(ETag !== undefined && { IfMatch: ETag }),
  });
  const bytes = await readAtMost(piecesOf(Body), MAX_DEFINITION);
  if (!bytes) throw new Error(`The API definition is larger than ${MAX_DEFINITION} bytes`);
  return bytes.toString('utf8');
}
