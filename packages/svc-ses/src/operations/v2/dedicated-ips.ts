import { isIP } from 'node:net';
import type { DedicatedIp, InputOf, OutputOf } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import { v2Paging } from '../../paging.ts';
import { GetDedicatedIpPool } from './infrastructure.ts';

/**
 * Dedicated addresses are leased from AWS, by a request to its support, and none is leased here: what names one is
 * refused as AWS refuses it to an account without any.
 * @throws AwsError `BadRequestException` for what is no IPv4 address, else `NotFoundException`
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
 * The addresses of the account, or of a pool that it has: none.
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
 * Blacklists that the account's addresses are on.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetBlacklistReports.html
 */
export function GetBlacklistReports({
  BlacklistItemNames,
}: InputOf<'GetBlacklistReports'>): OutputOf<'GetBlacklistReports'> {
  for (const ip of BlacklistItemNames) refuseAddress(ip);
  return { BlacklistReport: {} };
}
