import type { EmulatorSettings, Logger } from '@emu/core';
import { hostNameOf } from '../hosts.ts';
import { headerOf } from '../identify.ts';
import type { GatewayRequest } from '../request.ts';
import { authorityOf } from '../request-target.ts';
import { HostRules } from './host-rules.ts';
import { OriginRules } from './origin-rules.ts';
import { ANOTHER_SITE, foreignOrigin, unknownHost } from './refusals.ts';
import { Remembered } from './remembered.ts';

/** A request by a name that is not emu's own. */
export interface NameRestriction {
  /** A name that a resource may have: then the request is for the resource's data plane and nothing else. */
  readonly name: string;
  /**
   * Why it is refused where no resource has the name: a sentence that names the option that would let it in. Undefined
   * for a trusted name.
   */
  readonly refusal: string | undefined;
}

/** A request of a web page that may not use emu. Data planes have rules of their own, and any page may show objects. */
export interface PageRestriction {
  /** Its `Origin` header; undefined for links, images and the like. */
  readonly origin: string | undefined;
  /** Why it is refused: a sentence that names the option that would let it in. */
  readonly refusal: string;
}

/** The restriction of a page that says that it is of another site, and not of which. */
const OF_ANOTHER_SITE: PageRestriction = { origin: undefined, refusal: ANOTHER_SITE };

/**
 * Decides who may use an emulator: by the name it is called by, and by the page that calls it. Every front asks it before
 * anything of a request, or of a WebSocket's handshake, is decoded; decisions are remembered by host and by origin.
 */
export class Access {
  private readonly hostRules: HostRules;
  private readonly originRules: OriginRules;
  private readonly names = new Remembered((host) => this.restrictionOfName(host));
  /** By host and origin, which a line break separates: no header has one. */
  private readonly scripts = new Remembered((key) => this.restrictionOfPage(key, true));
  private readonly links = new Remembered((key) => this.restrictionOfPage(key, false));
  private readonly reported = new WeakSet<object>();

  constructor(
    settings: EmulatorSettings,
    private readonly log: Logger,
  ) {
    this.hostRules = new HostRules(settings);
    this.originRules = new OriginRules(settings);
  }

  /** Trusts the name of an address that emu listens on. */
  trust(host: string): void {
    this.hostRules.add(host);
    this.names.clear();
  }

  /** How the name that a request calls emu by restricts it; undefined where the name is emu's own. */
  byName({ headers, authority, target }: GatewayRequest): NameRestriction | undefined {
    const host = headerOf(headers, 'host');
    const byHost = host === undefined ? undefined : this.names.of(host);
    if (byHost?.refusal !== undefined) return byHost;
    const other = authority ?? authorityOf(target);
    return (other === undefined ? undefined : this.names.of(other)) ?? byHost;
  }

  /**
   * How the page that a request comes from restricts it; undefined for pages that may use emu, and for every client that
   * is no browser. `Origin` decides; without it the origin of `Referer`; without both `Sec-Fetch-Site`.
   * @param request one whose name is trusted
   * @see https://www.w3.org/TR/fetch-metadata/
   */
  byPage({ headers }: GatewayRequest): PageRestriction | undefined {
    if (headers.origin === undefined && headers.referer === undefined && headers['sec-fetch-site'] === undefined)
      return undefined;
    const host = headerOf(headers, 'host') ?? '';
    const origin = headerOf(headers, 'origin');
    if (origin !== undefined) return this.scripts.of(`${host}\n${origin}`);
    const referrer = headerOf(headers, 'referer');
    if (referrer) return this.links.of(`${host}\n${originOf(referrer)}`);
    return headerOf(headers, 'sec-fetch-site') === 'cross-site' ? OF_ANOTHER_SITE : undefined;
  }

  /** Why a front that has no data planes refuses a request, which is logged; undefined where it may be answered. */
  refusalOf(request: GatewayRequest): string | undefined {
    const byName = this.byName(request);
    const restriction = byName?.refusal === undefined ? this.byPage(request) : byName;
    if (restriction) this.report(restriction);
    return restriction?.refusal;
  }

  /** Writes to the log, once, why requests with a restriction are refused: a browser does not show its page the answer. */
  report(restriction: NameRestriction | PageRestriction): void {
    if (restriction.refusal === undefined || this.reported.has(restriction)) return;
    this.reported.add(restriction);
    this.log.warn(restriction.refusal);
  }

  private restrictionOfName(host: string): NameRestriction | undefined {
    const standing = this.hostRules.standingOf(host);
    if (standing === 'own') return undefined;
    const name = hostNameOf(host);
    return { name, refusal: standing === 'foreign' ? unknownHost(name) : undefined };
  }

  private restrictionOfPage(key: string, isScript: boolean): PageRestriction | undefined {
    const [host, origin] = key.split('\n') as [string, string];
    if (this.originRules.allows(origin, hostNameOf(host))) return undefined;
    return { origin: isScript ? origin : undefined, refusal: foreignOrigin(origin) };
  }
}

/** The origin of a referrer; `null`, as browsers call an unknown one, for what is no URL. */
const originOf = (referrer: string): string => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(referrer)?.[0] ?? 'null';
