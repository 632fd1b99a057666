import { isIPv4 } from 'node:net';
import type { HeaderValues } from '@emu/wire';
import { hostNameOf, splitDomain } from './hosts.ts';

/** Names of buckets that host names can begin with. @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** An address of version 4 with labels before it: nobody's name, but what clients make of an endpoint that is an address. */
const BEFORE_ADDRESS = /^(.+)\.(\d+\.\d+\.\d+\.\d+)$/;

/** The labels before an address of version 4; undefined where a name is not of that form. @param name in lower case */
export function beforeAddress(name: string): string | undefined {
  const [, before, address] = BEFORE_ADDRESS.exec(name) ?? [];
  return address !== undefined && isIPv4(address) ? before : undefined;
}

/**
 * The bucket that clients of S3 put in front of the address of emu that they were given: `photos.localhost:4566` where the
 * endpoint is `http://localhost:4566`; also before the emulator's domain, `localhost.<anything>` and an address. Whether the
 * request is one of S3's is not the host's to say: `sqs.localhost` may be the bucket `sqs` or the service.
 * @param host the header, with or without a port
 * @param domain the emulator's own domain
 */
export function bucketOfHost(host: string, domain: string): string | undefined {
  const name = hostNameOf(host);
  const bucket = name === domain ? undefined : (beforeAddress(name) ?? beforeDomain(name, domain));
  return bucket !== undefined && bucket !== 'localhost' && BUCKET.test(bucket) ? bucket : undefined;
}

/** The labels before one of emu's domains, the longest that fits; those of AWS have no bucket right before them. */
function beforeDomain(name: string, domain: string): string | undefined {
  const split = splitDomain(name, domain)[0];
  return split?.region === undefined ? split?.rest : undefined;
}

/** A directory bucket in a path, with a slash too many after it. */
const DOUBLED = /^(\/[^/]+--x-s3\/)\//;

/**
 * The path that a request to a directory bucket means. At an endpoint that is an address, the SDK for JavaScript v3 writes
 * `/<bucket>//<key>`; other clients mean a key that begins with a slash by that.
 */
export function directoryBucketPath(path: string, headers: HeaderValues): string {
  const agent = `${headers['user-agent']} ${headers['x-amz-user-agent']}`;
  return agent.includes('aws-sdk-js/3') ? path.replace(DOUBLED, '$1') : path;
}
