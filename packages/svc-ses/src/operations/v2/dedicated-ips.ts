import { isIP } from 'node:net';
import type { DedicatedIp, InputOf, OutputOf } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import { v2Paging } from '../../paging.ts';
import { GetDedicatedIpPool } from './infrastructure.ts';

/**
 * Rejects dedicated IP addresses, which AWS Support leases and emu does not have, as AWS does for an account without
 * any.
 * @throws AwsError `BadRequestException` for an invalid IPv4 address, otherwise `NotFoundException`
 */
function refuseAddress(ip: string): never {
  if (isIP(ip) !== 4) throw badRequest(`Invalid IP address <${ip}>.`);
  throw notFound(`Dedicated IP <${ip}> does not exist.`);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetDedicatedIp.html */
export function GetDedicatedIp({ Ip }: InputOf<'GetDedicatedIp'>): never {
  return refuseAddress(Ip);
}

/**
 * Returns an empty list of dedicated addresses for the account or an existing pool.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetDedicatedIps.html
 */
export function GetDedicatedIps(input: InputOf<'GetDedicatedIps'>, ctx: SesContext): OutputOf<'GetDedicatedIps'> {
  const { PoolName } = input;
  if (PoolName !== undefined) GetDedicatedIpPool({ PoolName }, ctx);
  const leased: DedicatedIp[] = [];
  return v2Paging.page('GetDedicatedIps', input, leased, ({ Ip }) => Ip).list((ip) => ip);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutDedicatedIpInPool.html */
export function PutDedicatedIpInPool(
  { Ip, DestinationPoolName: PoolName }: InputOf<'PutDedicatedIpInPool'>,
  ctx: SesContext,
): never {
  GetDedicatedIpPool({ PoolName }, ctx);
  return refuseAddress(Ip);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutDedicatedIpWarmupAttributes.html */
export function PutDedicatedIpWarmupAttributes({
  Ip,
  WarmupPercentage,
}: InputOf<'PutDedicatedIpWarmupAttributes'>): never {
  if (WarmupPercentage < 0 || WarmupPercentage > 100) throw badRequest('WarmupPercentage must be between 0 and 100.');
  return refuseAddress(Ip);
}

/**
 * Returns the blacklist reports of the account's addresses.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetBlacklistReports.html
 */
export function GetBlacklistReports({
  BlacklistItemNames,
}: InputOf<'GetBlacklistReports'>): OutputOf<'GetBlacklistReports'> {
  for (const ip of BlacklistItemNames) refuseAddress(ip);
  return { BlacklistReport: {} };
}
