import { dnsSuffixOf, formatArn, type ObjectLambdaAccessPoint, parseArn } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { type AccessPointUse, accessPointUse } from '../access-control/access-points.ts';
import type { S3Context } from '../context.ts';
import { accessDenied, s3Error } from '../errors.ts';
import { presign } from './presign.ts';

/** Seconds for which a function may read the object. */
const URL_LIFETIME = 61;

/** Transformation of an operation's responses. */
export type Transformation = ObjectLambdaAccessPoint['transformations'][number];

/** Returns the transformation of an operation; undefined if it is not transformed. */
export function transformationOf(point: ObjectLambdaAccessPoint, operation: string): Transformation | undefined {
  return point.transformations.find(({ actions }) => actions.includes(operation));
}

/** An operation whose responses can be transformed. */
export interface Transformed {
  readonly point: ObjectLambdaAccessPoint;
  readonly use: AccessPointUse;
  readonly transformation: Transformation;
}

/**
 * Returns the transformation of a request's response, if any.
 * @throws AwsError `NotImplemented` for ranges and parts that the access point does not allow
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/range-get-olap.html
 */
export function transformedBy(
  operation: string,
  input: { Range?: string | undefined; PartNumber?: number | undefined },
): Transformed | undefined {
  const use = accessPointUse(input);
  const point = use?.objectLambda;
  const transformation = point && transformationOf(point, operation);
  if (!transformation) return undefined;
  const { allowedFeatures } = point;
  if (
    (input.Range !== undefined && !allowedFeatures.includes(`${operation}-Range`)) ||
    (input.PartNumber !== undefined && !allowedFeatures.includes(`${operation}-PartNumber`))
  )
    throw s3Error('NotImplemented', 'A header you provided implies functionality that is not implemented', {
      status: 501,
    });
  return { point, use, transformation };
}

/** Event member by operation. */
const CONTEXTS: Readonly<Record<string, string>> = {
  GetObject: 'getObjectContext',
  HeadObject: 'headObjectContext',
  ListObjects: 'listObjectsContext',
  ListObjectsV2: 'listObjectsV2Context',
};

/** Headers with credentials or signatures. */
const SECRET_HEADERS = /^(authorization|x-amz-security-token|cookie)$/i;

/** Query parameters of a request's signature. */
const SIGNATURE_PARAMETERS = /^X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Security-Token|Signature)$/i;

/**
 * Returns the event for a function.
 * @param answer target of the response, if it is not the function's result
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/olap-event-context.html
 */
export async function eventOf(
  operation: string,
  key: string | undefined,
  { point, use, transformation }: Transformed,
  ctx: S3Context,
  answer: { outputRoute: string; outputToken: string } | undefined,
): Promise<Record<string, unknown>> {
  const query = Object.fromEntries(
    [...new URLSearchParams(ctx.http?.query ?? '')].filter(
      ([name]) => name !== 'x-id' && !SIGNATURE_PARAMETERS.test(name),
    ),
  );
  const { accessKeyId = ctx.accountId } = ctx.principal;
  const credential = ctx.credentials.get(accessKeyId);
  const inputS3Url = presign(
    operation === 'HeadObject' ? 'HEAD' : 'GET',
    await ctx.handle.selfUrl(),
    `/${use.point.alias}${key === undefined ? '' : `/${key}`}`,
    query,
    {
      accessKeyId,
      secretAccessKey: credential?.secretAccessKey ?? accessKeyId,
      sessionToken: credential?.sessionToken,
      region: point.region,
      now: ctx.clock.now(),
      expires: URL_LIFETIME,
    },
  );
  const host = `${point.name}-${point.accountId}.s3-object-lambda.${point.region}.${dnsSuffixOf(point.region)}`;
  const search = new URLSearchParams(query).toString();
  const headers = Object.entries(ctx.http?.headers ?? {}).filter(([name]) => !SECRET_HEADERS.test(name));
  return {
    xAmzRequestId: ctx.requestId,
    [CONTEXTS[operation]!]: { inputS3Url, ...answer },
    configuration: {
      accessPointArn: point.arn,
      supportingAccessPointArn: point.supportingAccessPoint,
      payload: transformation.payload ?? '',
    },
    userRequest: {
      url: `https://${host}/${encodeURI(key ?? '')}${search === '' ? '' : `?${search}`}`,
      headers: Object.fromEntries(
        headers.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
      ),
    },
    userIdentity: identityOf(ctx),
    protocolVersion: '1.00',
  };
}

/** Returns the caller in CloudTrail's format. */
function identityOf({ principal, region }: S3Context): Record<string, unknown> {
  const { type, userId, arn, accountId, accessKeyId } = principal;
  const common = { principalId: userId, arn, accountId, ...(accessKeyId !== undefined && { accessKeyId }) };
  if (type === 'root') return { type: 'Root', ...common };
  const session = type === 'assumed-role' ? parseArn(arn) : undefined;
  const userName = session && /^assumed-role\/([^/]+)\//.exec(session.resource)?.[1];
  if (userName === undefined) return { type: 'IAMUser', ...common, userName: arn.slice(arn.lastIndexOf('/') + 1) };
  return {
    type: 'AssumedRole',
    ...common,
    sessionContext: {
      sessionIssuer: {
        type: 'Role',
        principalId: userId.split(':')[0],
        arn: formatArn({ service: 'iam', region: '', accountId, resource: `role/${userName}` }, region),
        accountId,
        userName,
      },
    },
  };
}

/**
 * Invokes the function as the caller.
 * @returns its result
 * @throws AwsError `LambdaNotFound`, `LambdaPermissionError`, `LambdaInvocationFailed`, `LambdaRuntimeError`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#ObjectLambdaErrorCodeList
 */
export async function invoke({ functionArn }: Transformation, event: unknown, ctx: S3Context): Promise<string> {
  const { region, accountId } = parseArn(functionArn)!;
  let result: { FunctionError?: string; Payload?: Uint8Array };
  try {
    result = await ctx.call(
      'lambda',
      'Invoke',
      { FunctionName: functionArn, Payload: Buffer.from(JSON.stringify(event)) },
      { region, accountId, signal: ctx.signal, authorize: {} },
    );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (error.code === 'ResourceNotFoundException')
      throw s3Error('LambdaNotFound', 'The AWS Lambda function was not found.', { status: 404 });
    if (/^AccessDenied/.test(error.code))
      throw s3Error('LambdaPermissionError', 'The caller is not authorized to invoke the AWS Lambda function.', {
        status: 403,
      });
    throw s3Error('LambdaInvocationFailed', `The Lambda function invocation failed: ${error.message}`, {
      status: 400,
    });
  }
  if (result.FunctionError !== undefined)
    throw s3Error('LambdaRuntimeError', 'The Lambda function failed during execution.', { status: 400 });
  return Buffer.from(result.Payload ?? []).toString();
}

/** Ends a wait when its client disconnects. */
export function goneOf(signal: AbortSignal): { promise: Promise<never>; stop(): void } {
  let listener: (() => void) | undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    listener = () => reject(accessDenied('The request was aborted.'));
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
  });
  // It may reject after the wait has ended.
  promise.catch(() => undefined);
  return { promise, stop: () => listener && signal.removeEventListener('abort', listener) };
}
