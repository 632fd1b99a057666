import { isPublicPolicy } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/s3control';
import { checkPolicy } from '../access-points/access-point.ts';
import type { S3controlContext } from '../context.ts';
import { globalState } from '../context.ts';
import { invalidRequest } from '../errors.ts';
import type { RouteRecord } from '../multi-region/records.ts';
import { findByAlias, findMultiRegion, submit } from '../multi-region/requests.ts';
import { multiRegionType } from '../resources.ts';

/**
 * Requests a change of the policy.
 * @throws AwsError `NoSuchMultiRegionAccessPoint`, `MalformedPolicy`, `AccessDenied`
 */
export async function PutMultiRegionAccessPointPolicy(
  input: InputOf<'PutMultiRegionAccessPointPolicy'>,
  ctx: S3controlContext,
): Promise<OutputOf<'PutMultiRegionAccessPointPolicy'>> {
  const { Name: name, Policy: policy } = input.Details;
  const { alias, publicAccessBlock } = findMultiRegion(ctx, { AccountId: input.AccountId, Name: name });
  const arn = multiRegionType.arn({ alias }, ctx);
  await checkPolicy(policy, arn, 's3:PutMultiRegionAccessPointPolicy', { publicAccessBlock }, ctx);
  // It may have been deleted meanwhile.
  findMultiRegion(ctx, { AccountId: input.AccountId, Name: name });
  return submit(ctx, input.ClientToken, 'PutMultiRegionAccessPointPolicy', input.Details, ({ points }) => {
    points.update(name, (draft) => {
      draft.proposed = policy;
    });
  });
}

/**
 * Returns the established and proposed policies; a policy remains proposed when it is established.
 * @throws AwsError `NoSuchMultiRegionAccessPoint`
 */
export function GetMultiRegionAccessPointPolicy(
  input: InputOf<'GetMultiRegionAccessPointPolicy'>,
  ctx: S3controlContext,
): OutputOf<'GetMultiRegionAccessPointPolicy'> {
  const { established, proposed = established } = findMultiRegion(ctx, input);
  return {
    Policy: {
      ...(established !== undefined && { Established: { Policy: established } }),
      ...(proposed !== undefined && { Proposed: { Policy: proposed } }),
    },
  };
}

/** @throws AwsError `NoSuchMultiRegionAccessPoint` */
export function GetMultiRegionAccessPointPolicyStatus(
  input: InputOf<'GetMultiRegionAccessPointPolicyStatus'>,
  ctx: S3controlContext,
): OutputOf<'GetMultiRegionAccessPointPolicyStatus'> {
  const { established } = findMultiRegion(ctx, input);
  return { Established: { IsPublic: established !== undefined && isPublicPolicy(established) } };
}

/** @throws AwsError `NoSuchMultiRegionAccessPoint` */
export function GetMultiRegionAccessPointRoutes(
  input: InputOf<'GetMultiRegionAccessPointRoutes'>,
  ctx: S3controlContext,
): OutputOf<'GetMultiRegionAccessPointRoutes'> {
  const { alias, routes } = findByAlias(ctx, input.AccountId, input.Mrap);
  return {
    Mrap: multiRegionType.arn({ alias }, ctx),
    Routes: routes.map(({ bucket, region, dial }) => ({
      Bucket: bucket,
      Region: region,
      TrafficDialPercentage: dial,
    })),
  };
}

/**
 * Activates or deactivates routes immediately.
 * @throws AwsError `NoSuchMultiRegionAccessPoint`, `InvalidRequest`
 */
export function SubmitMultiRegionAccessPointRoutes(
  input: InputOf<'SubmitMultiRegionAccessPointRoutes'>,
  ctx: S3controlContext,
): OutputOf<'SubmitMultiRegionAccessPointRoutes'> {
  const { name, routes } = findByAlias(ctx, input.AccountId, input.Mrap);
  const changed: RouteRecord[] = routes.map((route) => ({ ...route }));
  for (const { Bucket: bucket, Region: region, TrafficDialPercentage: dial } of input.RouteUpdates) {
    if (bucket === undefined && region === undefined)
      throw invalidRequest('Each route update must have a bucket or a Region.');
    if (dial !== 0 && dial !== 100) throw invalidRequest('The traffic dial percentage must be either 0 or 100.');
    const route = changed.find(
      (candidate) =>
        (bucket === undefined || candidate.bucket === bucket) && (region === undefined || candidate.region === region),
    );
    if (!route) throw invalidRequest('The specified route is not part of the Multi-Region Access Point.');
    route.dial = dial;
  }
  if (!changed.some(({ dial }) => dial === 100))
    throw invalidRequest('At least one route of a Multi-Region Access Point must be active.');
  globalState(ctx).multiRegion.points.update(name, (draft) => {
    draft.routes = changed;
  });
  return {};
}
