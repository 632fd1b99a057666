import { isRegionName } from '@emu/core/service';
import type { S3Context } from '../context.ts';
import { s3Error } from '../errors.ts';
import { findBucket } from '../lookup.ts';

/** Last checked region: clients usually sign for a single one. */
let known = '';

/**
 * Rejects a signature for an unknown region, e.g. `US` from s3cmd's first request, with the right region, for which
 * such clients sign again.
 * @param bucket bucket of the request
 * @throws AwsError `AuthorizationHeaderMalformed`, `AuthorizationQueryParametersError`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export function checkSigningRegion(ctx: S3Context, bucket: string | undefined): void {
  const { region, http } = ctx;
  if (region === known || http === undefined) return;
  if (isRegionName(region)) {
    known = region;
    return;
  }
  // A signature may be valid for all regions, and emu's own region may have any name.
  if (region === '*' || region === ctx.settings.region) return;
  const expected = (bucket === undefined ? undefined : findBucket(ctx, bucket)?.region) ?? ctx.settings.region;
  const wrong = `the region '${region}' is wrong; expecting '${expected}'`;
  const members = { Region: expected };
  throw http.headers.authorization === undefined
    ? s3Error('AuthorizationQueryParametersError', `Error parsing the X-Amz-Credential parameter; ${wrong}`, {
        status: 400,
        members,
      })
    : s3Error('AuthorizationHeaderMalformed', `The authorization header is malformed; ${wrong}`, {
        status: 400,
        members,
      });
}
