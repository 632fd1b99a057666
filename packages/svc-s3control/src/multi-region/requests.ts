import type {
  AsyncOperationName,
  CreateMultiRegionAccessPointInput,
  DeleteMultiRegionAccessPointInput,
  PutMultiRegionAccessPointPolicyInput,
} from '@emu/service-types/s3control';
import type { AwsError } from '@emu/wire';
import type { S3controlContext } from '../context.ts';
import { checkAccount, globalState } from '../context.ts';
import { s3controlError } from '../errors.ts';
import { multiRegionRequestType, multiRegionType, resourceName } from '../resources.ts';
import type { MultiRegionAccessPoints } from './access-points.ts';
import type { MultiRegionView } from './records.ts';

/** Region of requests for a partition's Multi-Region Access Points. */
const REQUEST_REGION = 'us-west-2';

export const noSuchMultiRegion = (): AwsError =>
  s3controlError('NoSuchMultiRegionAccessPoint', 'The specified Multi-Region Access Point does not exist', {
    status: 404,
  });

/**
 * Returns one by name.
 * @throws AwsError `AccessDenied`, `NoSuchMultiRegionAccessPoint`
 */
export function findMultiRegion(ctx: S3controlContext, input: { AccountId: string; Name: string }): MultiRegionView {
  checkAccount(ctx, input.AccountId);
  const point = globalState(ctx).multiRegion.get(input.Name);
  if (!point) throw noSuchMultiRegion();
  return point;
}

/**
 * Returns one by ARN or alias.
 * @throws AwsError `AccessDenied`, `NoSuchMultiRegionAccessPoint`
 */
export function findByAlias(ctx: S3controlContext, accountId: string, mrap: string): MultiRegionView {
  checkAccount(ctx, accountId);
  const owner = multiRegionType.parse(mrap)?.place.accountId ?? accountId;
  const point = owner === accountId ? globalState(ctx).multiRegion.byAlias(resourceName(mrap)) : undefined;
  if (!point) throw noSuchMultiRegion();
  return point;
}

/**
 * Stores a request, once per idempotency token.
 * @param begin immediate part; not called for a repeated token
 * @throws AwsError `ClientTokenConflict` for a token of a different request
 */
export function submit(
  ctx: S3controlContext,
  clientToken: string,
  operation: AsyncOperationName,
  details: CreateMultiRegionAccessPointInput | DeleteMultiRegionAccessPointInput | PutMultiRegionAccessPointPolicyInput,
  begin: (points: MultiRegionAccessPoints) => void,
): { RequestTokenARN: string } {
  const points = globalState(ctx).multiRegion;
  const parameters = { [`${operation}Request`]: details };
  const { arn: RequestTokenARN } = points.tokens.once(operation, { ...parameters, ClientToken: clientToken }, () => {
    begin(points);
    const verb = operation.replace(/MultiRegionAccessPoint/, '').toLowerCase();
    const region = ctx.partition === 'aws' ? REQUEST_REGION : ctx.region;
    const place = { accountId: ctx.accountId, region };
    const arn = multiRegionRequestType.arn({ operation: verb, token: ctx.ids.hex(64) }, place);
    return points.submit({ operation, clientToken, parameters, name: details.Name, arn });
  });
  return { RequestTokenARN };
}
