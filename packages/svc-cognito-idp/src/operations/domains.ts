import { parseArn } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { invalidParameter, notFound, unavailableInTier } from '../errors.ts';
import { poolOf } from '../lookup.ts';
import type { DomainRecord, Pool } from '../records.ts';

const PREFIX = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const FULL = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;
const CLOUDFRONT_LENGTH = 13;

function checkName(domain: string, certificate: string | undefined): void {
  if (certificate === undefined ? !PREFIX.test(domain) : !FULL.test(domain))
    throw invalidParameter(`The domain name contains an invalid character: ${domain}`);
  if (/aws|amazon|cognito/.test(domain) && certificate === undefined)
    throw invalidParameter('The domain name contains a reserved word: aws, amazon or cognito.');
  if (certificate !== undefined && parseArn(certificate)?.service !== 'acm')
    throw invalidParameter(`Invalid certificate ARN ${certificate}.`);
}

/**
 * Checks that the feature plan supports the login version.
 * @throws AwsError `FeatureUnavailableInTierException` for managed login in the LITE plan
 */
function checkTier({ settings }: Pool, managedLoginVersion: number | undefined): void {
  if (managedLoginVersion === 2 && settings.UserPoolTier === 'LITE')
    throw unavailableInTier('Managed login is not available in the LITE feature plan.');
}

export function CreateUserPoolDomain(
  input: InputOf<'CreateUserPoolDomain'>,
  ctx: CognitoIdpContext,
): OutputOf<'CreateUserPoolDomain'> {
  const { state } = ctx;
  const pool = poolOf(input, ctx);
  const { Domain: domain, CustomDomainConfig: custom, ManagedLoginVersion = 1 } = input;
  checkName(domain, custom?.CertificateArn);
  checkTier(pool, ManagedLoginVersion);
  if (state.directory.domains.has(domain)) throw invalidParameter(`Domain already associated with another user pool.`);
  const own = [...state.domains.values()].filter(({ poolId }) => poolId === pool.id);
  if (own.some(({ certificateArn }) => (certificateArn === undefined) === (custom === undefined)))
    throw invalidParameter(`User pool ${pool.id} already has a domain of this kind configured.`);
  const cloudFront = `d${state.ids.chars(CLOUDFRONT_LENGTH, 'abcdefghijklmnopqrstuvwxyz0123456789')}.cloudfront.net`;
  state.domains.put(domain, {
    domain,
    poolId: pool.id,
    ...(custom && { certificateArn: custom.CertificateArn }),
    managedLoginVersion: ManagedLoginVersion,
    cloudFront,
    version: `${state.clock.now()}`,
  });
  state.directory.domains.set(domain, state);
  return { ManagedLoginVersion, ...(custom && { CloudFrontDomain: cloudFront }) };
}

/**
 * Returns the domain of a request.
 * @throws AwsError
 */
function domainOf(input: { UserPoolId: string; Domain: string }, ctx: CognitoIdpContext): Readonly<DomainRecord> {
  const pool = poolOf(input, ctx);
  const record = ctx.state.domains.get(input.Domain);
  if (record?.poolId !== pool.id) throw notFound(`Domain ${input.Domain} does not exist.`);
  return record;
}

export function UpdateUserPoolDomain(
  input: InputOf<'UpdateUserPoolDomain'>,
  ctx: CognitoIdpContext,
): OutputOf<'UpdateUserPoolDomain'> {
  const record = domainOf(input, ctx);
  const { CustomDomainConfig: custom, ManagedLoginVersion } = input;
  checkTier(poolOf(input, ctx), ManagedLoginVersion);
  if (custom) checkName(record.domain, custom.CertificateArn);
  if (custom && record.certificateArn === undefined)
    throw invalidParameter('A prefix domain cannot become a custom domain.');
  const changed = ctx.state.domains.update(record.domain, (draft) => {
    if (custom) draft.certificateArn = custom.CertificateArn;
    if (ManagedLoginVersion !== undefined) draft.managedLoginVersion = ManagedLoginVersion;
  });
  return {
    ManagedLoginVersion: changed.managedLoginVersion,
    ...(changed.certificateArn !== undefined && { CloudFrontDomain: changed.cloudFront }),
  };
}

export function DeleteUserPoolDomain(
  input: InputOf<'DeleteUserPoolDomain'>,
  ctx: CognitoIdpContext,
): OutputOf<'DeleteUserPoolDomain'> {
  const { domain } = domainOf(input, ctx);
  ctx.state.domains.delete(domain);
  ctx.state.directory.domains.delete(domain);
  return {};
}

export function DescribeUserPoolDomain(
  { Domain }: InputOf<'DescribeUserPoolDomain'>,
  { state }: CognitoIdpContext,
): OutputOf<'DescribeUserPoolDomain'> {
  const record = state.domains.get(Domain);
  if (!record) return { DomainDescription: {} };
  const { certificateArn, cloudFront, managedLoginVersion, poolId, version } = record;
  return {
    DomainDescription: {
      UserPoolId: poolId,
      AWSAccountId: state.accountId,
      Domain: record.domain,
      CloudFrontDistribution: cloudFront,
      Version: version,
      Status: 'ACTIVE',
      ...(certificateArn !== undefined && { CustomDomainConfig: { CertificateArn: certificateArn } }),
      ManagedLoginVersion: managedLoginVersion,
    },
  };
}
