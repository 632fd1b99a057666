import { isIPv4, isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import { matchesHost, PROVIDER_DOMAINS, RESOURCE_DOMAINS } from '@emu/core';
import type { EmulatorSettings } from '@emu/core/service';
import { beforeAddress, hostNameOf } from '../identify/hosts.ts';
import { codespaceNames } from './codespaces.ts';

/**
 * Access by a host name: to everything (`own`, `trusted`) or nothing (`foreign`). A name that is not emu's `own` may
 * belong to a resource, such as a website's bucket; then it reaches only the data plane of that resource.
 */
export type HostStanding = 'own' | 'trusted' | 'foreign';

/**
 * Domains that cannot be registered: RFC 6761, ICANN's reservation of `internal`, and the names of a cluster's
 * services.
 */
const RESERVED = ['.test', '.internal', '.svc.cluster.local'];
/** A domain of LocalStack that resolves to the loopback interface. */
const LOOPBACK_DOMAIN = 'localhost.localstack.cloud';
/** A host name or address with an optional port (RFC 9110, section 7.2): neither user nor path. */
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]]*)(?::(\d{0,5}))?$/i;
const MAX_PORT = 65_535;
const ONE_LABEL = /^[a-z0-9_-]+$/;

const isOrIsBelow = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/** Whether a name is below one of AWS's domains. */
const isBelow = (name: string, domains: readonly (readonly [suffix: string, unknown])[]): boolean =>
  domains.some(([suffix]) => name.endsWith(suffix));

/** Whether a name is an IP address; an address of version 6 has brackets. */
const isAddress = (name: string): boolean => isIPv4(name) || (name.startsWith('[') && isIPv6(name.slice(1, -1)));

/** Whether a name is one label, such as the name of a container or of a machine in a local network. */
export const isOneLabel = (name: string): boolean => ONE_LABEL.test(name);

/**
 * Whether a `Host` header is a name with an optional port. URLs of responses begin with it, so that a user or path in it
 * would lead clients elsewhere.
 */
export function isAuthority(host: string): boolean {
  const match = AUTHORITY.exec(host);
  return match !== null && Number(match[1] ?? 0) <= MAX_PORT;
}

/**
 * Recognises the host names that only lead to the emulator. A page may have its own name resolve to this machine (DNS
 * rebinding): its requests then have the page's origin, and only the name in `Host` differs from emu's. Names that a
 * stranger may own are therefore not trusted.
 * @see https://en.wikipedia.org/wiki/DNS_rebinding
 */
export class HostRules {
  private readonly names = new Set<string>([hostname().toLowerCase()]);
  private readonly patterns: readonly string[];
  private readonly domain: string;
  private readonly codespace = codespaceNames();

  constructor({ domain, externalUrl, hosts, values }: EmulatorSettings) {
    this.domain = domain;
    this.patterns = values.EMULATOR_ALLOW_HOSTS;
    if (externalUrl !== undefined) this.add(new URL(externalUrl).host);
    for (const host of hosts) this.add(host);
  }

  /** Trusts a name as emu's own. @param host with or without a port */
  add(host: string): void {
    this.names.add(hostNameOf(host));
  }

  /** Returns the access by a host name. @param host a `Host` header or an authority, with or without a port */
  standingOf(host: string): HostStanding {
    if (!isAuthority(host)) return 'foreign';
    const name = hostNameOf(host);
    if (this.isOwn(name)) return 'own';
    const reserved = RESERVED.some((suffix) => name.endsWith(suffix));
    // AWS's other domains have names of resources only, which no stranger can have resolved to this machine.
    return reserved || isBelow(name, RESOURCE_DOMAINS) || this.isConfigured(name) ? 'trusted' : 'foreign';
  }

  private isOwn(name: string): boolean {
    return (
      isOneLabel(name) ||
      isAddress(name) ||
      // No domain ends in a number. Clients create such names from a bucket or an account and an address.
      beforeAddress(name) !== undefined ||
      isOrIsBelow(name, 'localhost') ||
      isOrIsBelow(name, this.domain) ||
      isOrIsBelow(name, LOOPBACK_DOMAIN) ||
      isBelow(name, PROVIDER_DOMAINS) ||
      this.names.has(name) ||
      // A request without a host name has no name of a stranger.
      name === '' ||
      this.codespace?.test(name) === true
    );
  }

  private isConfigured(name: string): boolean {
    return matchesHost(name, this.patterns);
  }
}
