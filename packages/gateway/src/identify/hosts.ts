import { isIPv4 } from 'node:net';
import { PROVIDER_DOMAINS, RESOURCE_DOMAINS } from '@emu/core';
import { type EndpointName, isRegionName, type ResourceHosts } from '@emu/core/service';

/** Returns a host name in lower case, without its port and final dot. */
export function hostNameOf(host: string): string {
  const bracket = host.lastIndexOf(']');
  const colon = host.indexOf(':', Math.max(bracket, 0));
  const name = colon < 0 ? host : host.slice(0, colon);
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
}

/** The labels before a domain, and the region that the domain implies. */
interface Split {
  rest: string;
  region: string | undefined;
}

/**
 * Returns every way to split off the domain of AWS or of the emulator, the most specific first. @param name as returned
 * by `hostNameOf`
 */
function splitDomain(name: string, domain: string): Split[] {
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

/** Splits off the last label. A text without a dot is one label. */
function popLabel(rest: string): [before: string, label: string] {
  const dot = rest.lastIndexOf('.');
  return dot < 0 ? ['', rest] : [rest.slice(0, dot), rest.slice(dot + 1)];
}

/** Returns the service in the labels before a domain of resources: that of `abc.lambda-url.eu-west-1` is `lambda-url`. */
function serviceBefore(rest: string): string {
  const [before, last] = popLabel(rest);
  return popLabel(before !== '' && isRegionName(last) ? before : rest)[1];
}

/** Returns the region after a dash in a label: that of `s3-eu-west-1` for the service `s3`. */
function dashedRegion(service: string, label: string): string | undefined {
  const region = label.startsWith(`${service}-`) ? label.slice(service.length + 1) : '';
  return isRegionName(region) ? region : undefined;
}

/** An address of version 4 behind labels. Clients form such names from an endpoint that is an address. */
const BEFORE_ADDRESS = /^(.+)\.(\d+\.\d+\.\d+\.\d+)$/;

/** Returns the labels before an address of version 4; undefined for another name. @param name in lower case */
export function beforeAddress(name: string): string | undefined {
  const [, before, address] = BEFORE_ADDRESS.exec(name) ?? [];
  return address !== undefined && isIPv4(address) ? before : undefined;
}

/** A parsed host name. */
export interface ParsedHost {
  /** Service, region and prefix; undefined for a name that is not of AWS's form. */
  readonly endpoint: EndpointName | undefined;
  /** The labels in front of the emulator's address, if a service may have a resource of that name. */
  readonly resource: string | undefined;
}

/** Parses host names with the labels of an emulator's services. */
export class HostParser {
  /** Labels that follow the names of resources. */
  private readonly resourceLabels: ReadonlySet<string>;
  private readonly dashed: readonly string[];

  /**
   * @param labels the host labels of the services, e.g. `sqs`
   * @param resources the services' declarations of resources in host names
   * @param domain the emulator's own domain
   */
  constructor(
    private readonly labels: ReadonlySet<string>,
    private readonly resources: readonly ResourceHosts[],
    private readonly domain: string,
  ) {
    this.resourceLabels = new Set(resources.map(({ label }) => label));
    this.dashed = resources.flatMap(({ dashed }) => dashed);
  }

  /** Parses a `Host` header. @param host with or without a port */
  parse(host: string): ParsedHost {
    return { endpoint: this.endpointOf(host), resource: this.resourceBefore(host) };
  }

  /**
   * Returns service, region and resource of a `Host` header: of AWS's endpoint names (also dual-stack, FIPS and the
   * older forms with the region first or after a dash) and of the same names under `localhost`, `localhost.<anything>`
   * and the emulator's domain. Names of resources may contain dots.
   * @param host the header, with or without a port
   * @see https://docs.aws.amazon.com/general/latest/gr/rande.html
   */
  endpointOf(host: string): EndpointName | undefined {
    const name = hostNameOf(host);
    for (const split of splitDomain(name, this.domain)) {
      const found = this.parseLabels(split);
      if (found) return found;
    }
    for (const { marked, label } of this.resources) {
      const prefix = marked.exec(name)?.[1];
      if (prefix !== undefined) return { label, region: undefined, prefix };
    }
    return undefined;
  }

  /** Whether names of resources precede a label. */
  hasResources(label: string): boolean {
    return this.resourceLabels.has(label);
  }

  /**
   * Returns the resource in front of emu's own address, as an endpoint: clients send `photos.localhost:4566` if their
   * endpoint is `http://localhost:4566`. Names of AWS's services are excluded.
   */
  bareResource(host: string): EndpointName | undefined {
    if (this.resources.length === 0 || this.unknownServiceOf(host) !== undefined) return undefined;
    const prefix = this.resourceBefore(host);
    const owner = prefix === undefined ? undefined : this.resources.find(({ names }) => names.test(prefix));
    return owner && { label: owner.label, region: undefined, prefix };
  }

  /**
   * Returns the unknown service in a host of AWS's form: the label before the region, or before AWS's domain. Names
   * under `localhost` without a region may be anything.
   * @param host the header, with or without a port
   * @returns undefined for a host without a service
   */
  unknownServiceOf(host: string): string | undefined {
    const name = hostNameOf(host);
    for (const [suffix, label] of RESOURCE_DOMAINS)
      if (name.endsWith(suffix)) return label ?? serviceBefore(name.slice(0, -suffix.length));
    for (const { rest, region } of splitDomain(name, this.domain)) {
      const [before, last] = popLabel(rest);
      if (before !== '' && isRegionName(last)) return popLabel(before)[1];
      if (region !== undefined) return last;
    }
    return undefined;
  }

  /**
   * Returns the labels before the emulator's domain, `localhost.<anything>` or an address. Before AWS's domains are
   * services.
   */
  private resourceBefore(host: string): string | undefined {
    const name = hostNameOf(host);
    if (name === this.domain) return undefined;
    const before = beforeAddress(name) ?? this.beforeDomain(name);
    if (before === undefined || before === 'localhost') return undefined;
    return this.resources.some(({ names }) => names.test(before)) ? before : undefined;
  }

  private beforeDomain(name: string): string | undefined {
    const split = splitDomain(name, this.domain)[0];
    return split?.region === undefined ? split?.rest : undefined;
  }

  /** Parses `[<prefix>.]<service>[.<region>]` and the older forms. */
  private parseLabels(split: Split): EndpointName | undefined {
    let { rest } = split;
    let region: string | undefined;
    const [before, last] = popLabel(rest);
    if (before !== '' && isRegionName(last)) {
      region = last;
      rest = before;
    } else {
      for (const label of this.dashed) {
        const dashed = dashedRegion(label, last);
        if (dashed !== undefined) return { label, region: dashed, prefix: before === '' ? undefined : before };
      }
    }
    if (rest.endsWith('.dualstack')) rest = rest.slice(0, -'.dualstack'.length);
    const found = this.findService(rest);
    if (!found) return undefined;
    const [prefix, label] = found;
    // `us-west-2.queue.amazonaws.com`; a resource may have the name of a region.
    if (region === undefined && !this.resourceLabels.has(label) && isRegionName(prefix))
      return { label, region: prefix, prefix: undefined };
    return { label, region: region ?? split.region, prefix: prefix === '' ? undefined : prefix };
  }

  /** Returns the longest known service label that the labels end with, and what precedes it. */
  private findService(rest: string): [before: string, label: string] | undefined {
    let before = '';
    let candidate = rest;
    for (;;) {
      const label = this.labelOf(candidate);
      if (label !== undefined) return [before, label];
      const dot = candidate.indexOf('.');
      if (dot < 0) return undefined;
      before = before === '' ? candidate.slice(0, dot) : `${before}.${candidate.slice(0, dot)}`;
      candidate = candidate.slice(dot + 1);
    }
  }

  private labelOf(candidate: string): string | undefined {
    if (this.labels.has(candidate)) return candidate;
    const aliased = this.resources.find(({ aliases }) => aliases.test(candidate));
    if (aliased) return aliased.label;
    const plain = candidate.endsWith('-fips') ? candidate.slice(0, -'-fips'.length) : candidate;
    return this.labels.has(plain) ? plain : undefined;
  }
}
