import { partitionOf } from '@emu/core/service';
import type { WireRequest } from '@emu/wire';
import { type HostParts, hostNameOf } from './hosts.ts';

/** `<name>-<account>`, which the hosts of access points begin with. */
const LABEL = /^([a-z0-9][a-z0-9-]*)-(\d{12})$/;
/** The same in front of an endpoint that is not of AWS's form, as SDKs put it there. */
const FIRST_LABEL = /^([a-z0-9][a-z0-9-]*)-(\d{12})\./;
const MULTI_REGION = 'accesspoint.s3-global';
/** Signing name and host label of requests to S3 Object Lambda. */
export const OBJECT_LAMBDA = 's3-object-lambda';
/** Its host begins with a route, and no access point. */
const RESPONSE_PATH = '/WriteGetObjectResponse';

/**
 * The access point that a request to S3 names by its host, as its ARN or alias.
 * @param host what the host name says; undefined where it is not of AWS's forms
 * @param signingName undefined for unsigned requests
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-naming.html
 */
export function accessPointOfHost(
  { path, headers }: Pick<WireRequest, 'path' | 'headers'>,
  host: HostParts | undefined,
  signingName: string | undefined,
  region: string,
): string | undefined {
  if (path === RESPONSE_PATH) return undefined;
  if (!host) {
    const name = FIRST_LABEL.exec(hostNameOf(String(headers.host ?? '')));
    return name ? arnOf(signingName === OBJECT_LAMBDA ? OBJECT_LAMBDA : 's3', name, region) : undefined;
  }
  const { label, prefix } = host;
  if (label === MULTI_REGION) return prefix;
  if (prefix === undefined || (label !== 's3-accesspoint' && label !== OBJECT_LAMBDA)) return undefined;
  const name = LABEL.exec(prefix);
  return name ? arnOf(label === OBJECT_LAMBDA ? OBJECT_LAMBDA : 's3', name, region) : prefix;
}

function arnOf(service: string, [, name, accountId]: RegExpExecArray, region: string): string {
  return `arn:${partitionOf(region)}:${service}:${region}:${accountId}:accesspoint/${name}`;
}
