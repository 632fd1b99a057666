import { isRegionName } from '@emu/core/service';

/** What a host name says about a request. */
export interface HostParts {
  /** The known host label that was found, e.g. `sqs`, `queue` or `streams.dynamodb`. */
  label: string;
  /** Region of the name; undefined where the name has none and its domain implies none. */
  region: string | undefined;
  /** Labels before the service: the bucket of a virtual-hosted S3 request, or an operation's host prefix. */
  prefix: string | undefined;
}

/** Domains of AWS's endpoints, with the region that names without one mean. Longer ones come first. */
const PROVIDER_DOMAINS: readonly (readonly [suffix: string, region: string])[] = [
  ['.api.amazonwebservices.com.cn', 'cn-north-1'],
  ['.amazonaws.com.cn', 'cn-north-1'],
  ['.amazonaws.com', 'us-east-1'],
  ['.api.aws', 'us-east-1'],
  ['.amazonaws.eu', 'eusc-de-east-1'],
  ['.c2s.ic.gov', 'us-iso-east-1'],
  ['.sc2s.sgov.gov', 'us-isob-east-1'],
  ['.cloud.adc-e.uk', 'eu-isoe-west-1'],
  ['.csp.hci.ic.gov', 'us-isof-south-1'],
];

/** The name without its port, in lower case. */
export function hostNameOf(host: string): string {
  const bracket = host.lastIndexOf(']');
  const colon = host.indexOf(':', Math.max(bracket, 0));
  const name = colon < 0 ? host : host.slice(0, colon);
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
}

/** Whether a name is below one of the domains of AWS's endpoints. @param name in lower case, without a port */
export const isProviderName = (name: string): boolean => PROVIDER_DOMAINS.some(([suffix]) => name.endsWith(suffix));

/** The labels before a domain, and the region that the domain implies. */
export interface Split {
  rest: string;
  region: string | undefined;
}

/** Every way to split off the domain of AWS or of the emulator, the most specific first. @param name as `hostNameOf` has it */
export function splitDomain(name: string, domain: string): Split[] {
  const splits: Split[] = [];
  const cut = (suffix: string, region?: string): void => {
    if (name.endsWith(suffix)) splits.push({ rest: name.slice(0, -suffix.length), region });
  };
  for (const [suffix, region] of PROVIDER_DOMAINS) {
    cut(suffix, region);
    if (splits.length) return splits;
  }
  if (domain !== '') {
    cut(`.localhost.${domain}`);
    cut(`.${domain}`);
  }
  cut('.localhost');
  const inside = name.lastIndexOf('.localhost.');
  if (inside > 0) splits.push({ rest: name.slice(0, inside), region: undefined });
  return splits;
}

/** Takes the last label off; the whole is the label where there is no dot. */
function popLabel(rest: string): [before: string, label: string] {
  const dot = rest.lastIndexOf('.');
  return dot < 0 ? ['', rest] : [rest.slice(0, dot), rest.slice(dot + 1)];
}

/** `s3express-use1-az4`, `s3express-control`; transfer acceleration; the name of us-east-1 that replicated before others. */
const OTHER_S3 = /^(s3express-[a-z0-9-]+|s3-accelerate|s3-external-1)$/;
/** A directory bucket in front of an endpoint that is not of AWS's form, as SDKs put it there. */
const DIRECTORY_BUCKET = /^([a-z0-9][a-z0-9-]*--x-s3)\./;

/** The longest known service label that the labels end with, and what stands before it. */
function findService(rest: string, known: ReadonlySet<string>): [before: string, label: string] | undefined {
  let before = '';
  let candidate = rest;
  for (;;) {
    if (known.has(candidate)) return [before, candidate];
    // Endpoints of S3's directory buckets name a zone, or that they are for buckets as such; others a way to get there.
    if (known.has('s3') && OTHER_S3.test(candidate)) return [before, 's3'];
    const plain = candidate.endsWith('-fips') ? candidate.slice(0, -'-fips'.length) : candidate;
    if (known.has(plain)) return [before, plain];
    const dot = candidate.indexOf('.');
    if (dot < 0) return undefined;
    before = before === '' ? candidate.slice(0, dot) : `${before}.${candidate.slice(0, dot)}`;
    candidate = candidate.slice(dot + 1);
  }
}

/** `s3-<region>`, the older form with a dash, and `s3-website-<region>`. */
function dashedRegion(service: string, label: string): string | undefined {
  const region = label.startsWith(`${service}-`) ? label.slice(service.length + 1) : '';
  return isRegionName(region) ? region : undefined;
}

/**
 * Recovers service, region and bucket from a `Host` header: AWS's endpoint names (also dual-stack, FIPS and the older
 * forms with the region first or after a dash) and the same names under `localhost`, `localhost.<anything>` and the
 * emulator's domain. Buckets may contain dots.
 * @param host the header, with or without a port
 * @param known the host labels of the services, e.g. `sqs`
 * @param domain the emulator's own domain
 * @see https://docs.aws.amazon.com/general/latest/gr/rande.html
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 */
export function parseHost(host: string, known: ReadonlySet<string>, domain: string): HostParts | undefined {
  for (const split of splitDomain(hostNameOf(host), domain)) {
    const facts = parseLabels(split, known);
    if (facts) return facts;
  }
  const directory = known.has('s3') ? DIRECTORY_BUCKET.exec(hostNameOf(host))?.[1] : undefined;
  return directory === undefined ? undefined : { label: 's3', region: undefined, prefix: directory };
}

/**
 * The service that a host of AWS's form names, where it is none of the known ones: the label before the region, or before
 * AWS's domain. Names under `localhost` are anybody's as long as they have no region.
 * @param host the header, with or without a port
 * @param domain the emulator's own domain
 * @returns undefined where the host names no service
 */
export function unknownServiceOf(host: string, domain: string): string | undefined {
  for (const { rest, region } of splitDomain(hostNameOf(host), domain)) {
    const [before, last] = popLabel(rest);
    if (before !== '' && isRegionName(last)) return popLabel(before)[1];
    if (region !== undefined) return last;
  }
  return undefined;
}

/** Reads `[<prefix>.]<service>[.<region>]` and the older forms. */
function parseLabels(split: Split, known: ReadonlySet<string>): HostParts | undefined {
  let { rest } = split;
  let region: string | undefined;
  const [before, last] = popLabel(rest);
  if (before !== '' && isRegionName(last)) {
    region = last;
    rest = before;
  } else if (known.has('s3')) {
    for (const label of ['s3-website', 's3']) {
      const dashed = dashedRegion(label, last);
      if (dashed !== undefined) return { label, region: dashed, prefix: before === '' ? undefined : before };
    }
  }
  if (rest.endsWith('.dualstack')) rest = rest.slice(0, -'.dualstack'.length);
  const found = findService(rest, known);
  if (!found) return undefined;
  const [prefix, label] = found;
  // `us-west-2.queue.amazonaws.com`; a bucket may have the name of a region.
  if (region === undefined && label !== 's3' && isRegionName(prefix))
    return { label, region: prefix, prefix: undefined };
  return { label, region: region ?? split.region, prefix: prefix === '' ? undefined : prefix };
}
