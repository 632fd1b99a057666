import { isIP } from 'node:net';
import {
  isAwsName,
  type ResourceEndpoint,
  resourceEndpoint,
  type ServiceHandle,
  type StateScope,
} from '@emu/core/service';
import { isObject } from '@emu/wire';
import { CLOUDFORMATION_OPTIONS } from '../options.ts';
import { type JsonObject, setMember } from './values.ts';

/** Host of an API, function URL or user pool domain: scheme, labels of the resource, domain with the port. */
const HOST =
  /(?:\b(https?|wss?):\/\/)?(?<![\w.-])([a-z0-9-]+\.(?:execute-api|lambda-url|auth)\.[a-z0-9-]+)\.([a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?)(?![\w:-]|\.\w)/g;
/** AWS's domains of these hosts. */
const AWS_DOMAINS = ['amazonaws.com', 'amazonaws.com.cn', 'on.aws', 'amazoncognito.com'];

/** Finds emu's resources by host names. */
export type ResourcesByHost = Pick<ServiceHandle, 'ownsHost' | 'pathOfHost'>;

/** Replaces the hosts of emu's resources in the values of a template by addresses that lead to emu. */
export class LocalEndpoints {
  private readonly below: ResourceEndpoint;
  /** Whether names below the host of the endpoint can be resolved. */
  private readonly resolves: boolean;
  private readonly domains: ReadonlySet<string>;

  /**
   * @param endpoint base URL of emu in the request
   * @param domain `EMULATOR_DOMAIN`
   */
  constructor(
    private readonly endpoint: string,
    domain: string,
    private readonly resources: ResourcesByHost,
  ) {
    this.below = resourceEndpoint(endpoint, domain);
    const { hostname } = new URL(endpoint);
    this.resolves = hostname.includes('.') && !isIP(hostname);
    this.domains = new Set([...AWS_DOMAINS, ...AWS_DOMAINS.map((name) => `${name}:443`), this.below.domain]);
  }

  /**
   * Replaces the hosts in all texts of a value except ARNs. URLs become paths of emu, unless names below its own can be
   * resolved.
   * @param member name of the member with the value; one like `AllowOrigins` receives origins
   */
  applied(value: unknown, member = ''): unknown {
    if (typeof value === 'string') return value.startsWith('arn:') ? value : this.appliedToText(value, member);
    if (Array.isArray(value)) return value.map((item) => this.applied(item, member));
    if (!isObject(value)) return value;
    const out: JsonObject = {};
    for (const [name, item] of Object.entries(value)) setMember(out, name, this.applied(item, name));
    return out;
  }

  private appliedToText(text: string, member: string): string {
    return text.replace(HOST, (found, scheme: string | undefined, labels: string, behind: string) => {
      if (!this.domains.has(behind)) return found;
      const name = `${labels}.${behind.replace(/:\d+$/, '')}`;
      if (!this.resources.ownsHost(name)) return found;
      const { protocol, domain } = this.below;
      if (scheme === undefined) return `${labels}.${domain}`;
      const path = this.resolves ? undefined : this.resources.pathOfHost(name);
      const url = path === undefined ? `${protocol}//${labels}.${domain}` : this.urlOf(path, member);
      return scheme.startsWith('ws') ? url.replace(/^http/, 'ws') : url;
    });
  }

  private urlOf(path: string, member: string): string {
    return /origins?$/i.test(member) ? new URL(this.endpoint).origin : `${this.endpoint}${path}`;
  }
}

/**
 * Returns the local endpoints for the deployments of a scope; undefined if its templates keep AWS's: by a setting, or
 * because AWS's names lead to emu where the caller runs.
 */
export function localEndpoints(
  { settings, service }: Pick<StateScope, 'settings' | 'service'>,
  endpoint: string,
): LocalEndpoints | undefined {
  const { EMULATOR_CLOUDFORMATION_AWS_ENDPOINTS: kept } = settings.of(CLOUDFORMATION_OPTIONS);
  if (kept || isAwsName(new URL(endpoint).hostname)) return undefined;
  return new LocalEndpoints(endpoint, settings.domain, service);
}
