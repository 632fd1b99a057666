import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { EmulatorSettings, Logger } from '@emu/core/service';
import { headerOf } from '@emu/wire';
import { hostNameOf } from '../identify/hosts.ts';
import type { GatewayRequest } from '../request/gateway-request.ts';
import { authorityOf } from '../request/request-target.ts';
import { HostRules, isAuthority } from './host-rules.ts';
import { OriginRules } from './origin-rules.ts';
import { OwnPages } from './own-pages.ts';
import { ANOTHER_SITE, foreignOrigin, ownPage, unknownHost } from './refusals.ts';
import { TextCache } from './text-cache.ts';

/** Restriction of a request by a name that is not emu's own. */
export interface NameRestriction {
  /** The name. If a resource has it, the request reaches the resource's data plane and nothing else. */
  readonly name: string;
  /**
   * Refusal if no resource has the name: a sentence with the option that would admit it. Undefined for a trusted name.
   */
  readonly refusal: string | undefined;
}

/** Restriction of a web page that may not use emu, or its control routes. */
export interface PageRestriction {
  /** The `Origin` header; undefined for links, images and other requests without one. */
  readonly origin: string | undefined;
  /** Refusal: a sentence with the option that would admit the page. */
  readonly refusal: string;
}

/** Restricts a page of another site that does not send its origin. */
const OF_ANOTHER_SITE: PageRestriction = { origin: undefined, refusal: ANOTHER_SITE };

/** Header with the console's token. */
const TOKEN_HEADER = 'x-emulator-token';

/**
 * Decides who may use an emulator, by the name in a request and the page that sends it. Applies before a request or the
 * handshake of a WebSocket is decoded. Decisions are cached by host and by origin.
 */
export class Access {
  /**
   * Identifies the console among the pages that emu serves. Random even with a seed, because a page that guesses it may
   * use control routes.
   */
  readonly token = randomBytes(32).toString('base64url');
  private readonly hostRules: HostRules;
  private readonly originRules: OriginRules;
  private readonly ownPages: OwnPages;
  private readonly names = new TextCache((host) => this.restrictionOfName(host));
  /** By host and origin, separated by a line break, which headers cannot contain. */
  private readonly scripts = new TextCache((key) => this.restrictionOfPage(key, true));
  private readonly links = new TextCache((key) => this.restrictionOfPage(key, false));
  /** Restrictions of pages that emu serves, by their origins. */
  private readonly owned = new TextCache<PageRestriction>((origin) => ({ origin, refusal: ownPage(origin) }));
  private readonly reported = new WeakSet<object>();

  /** @param isDataHost whether a host name belongs to the data plane of a service */
  constructor(
    settings: EmulatorSettings,
    private readonly log: Logger,
    isDataHost: (name: string) => boolean,
  ) {
    this.hostRules = new HostRules(settings);
    this.originRules = new OriginRules(settings);
    this.ownPages = new OwnPages(settings.externalUrl, isDataHost);
  }

  /** Trusts the name of an address that emu listens on. */
  trust(host: string): void {
    this.hostRules.add(host);
    this.names.clear();
  }

  /** Adds a port that emu listens on, by which its own pages are recognised. */
  addPort(port: number): void {
    this.ownPages.addPort(port);
  }

  /** Returns the restriction of a request by its host name; undefined for emu's own names. */
  byName({ headers, authority, target }: GatewayRequest): NameRestriction | undefined {
    const host = headerOf(headers, 'host');
    const byHost = host === undefined ? undefined : this.names.of(host);
    if (byHost?.refusal !== undefined) return byHost;
    const other = authority ?? authorityOf(target);
    return (other === undefined ? undefined : this.names.of(other)) ?? byHost;
  }

  /**
   * Returns the restriction of a request by its page; undefined for pages that may use emu, and for clients other than
   * browsers. `Origin` decides; without it the origin of `Referer`; without both `Sec-Fetch-Site`.
   * @param request a request by a trusted name
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

  /**
   * Returns the restriction that keeps pages that emu serves, such as objects and websites, from control routes;
   * undefined for the console, which sends the token, for other pages, and for clients other than browsers.
   * @param request a request whose name and page may use emu
   */
  byOwnPage({ headers }: GatewayRequest): PageRestriction | undefined {
    if (headers.origin === undefined && headers.referer === undefined && headers['sec-fetch-site'] === undefined)
      return undefined;
    const token = headerOf(headers, TOKEN_HEADER);
    if (token !== undefined && this.isToken(token)) return undefined;
    const host = headerOf(headers, 'host') ?? '';
    const referrer = headerOf(headers, 'referer');
    const page = headerOf(headers, 'origin') ?? (referrer ? originOf(referrer) : undefined);
    if (page === undefined) {
      if (headerOf(headers, 'sec-fetch-site') !== 'same-origin') return undefined;
      // The page has the same origin; only its scheme is unknown.
      const origins = [`http://${host}`, `https://${host}`];
      return origins.some((one) => this.originRules.admitsByOption(one)) ? undefined : this.owned.of(origins[0]!);
    }
    if (!this.ownPages.include(page, host) || this.originRules.admitsByOption(page)) return undefined;
    return this.owned.of(page);
  }

  /**
   * Returns the refusal of a request to an address without data planes, and logs it; undefined for an allowed request.
   */
  refusalOf(request: GatewayRequest): string | undefined {
    const byName = this.byName(request);
    const restriction = byName?.refusal === undefined ? (this.byPage(request) ?? this.byOwnPage(request)) : byName;
    if (restriction) this.report(restriction);
    return restriction?.refusal;
  }

  /** Logs the reason of a restriction once, because browsers do not show it. */
  report(restriction: NameRestriction | PageRestriction): void {
    if (restriction.refusal === undefined || this.reported.has(restriction)) return;
    this.reported.add(restriction);
    this.log.warn(restriction.refusal);
  }

  private isToken(text: string): boolean {
    const [given, expected] = [Buffer.from(text), Buffer.from(this.token)];
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private restrictionOfName(host: string): NameRestriction | undefined {
    const standing = this.hostRules.standingOf(host);
    if (standing === 'own') return undefined;
    const name = isAuthority(host) ? hostNameOf(host) : host;
    return { name, refusal: standing === 'foreign' ? unknownHost(name) : undefined };
  }

  private restrictionOfPage(key: string, isScript: boolean): PageRestriction | undefined {
    const [host, origin] = key.split('\n') as [string, string];
    if (this.originRules.allows(origin, hostNameOf(host))) return undefined;
    return { origin: isScript ? origin : undefined, refusal: foreignOrigin(origin) };
  }
}

/** Returns the origin of a referrer; `null`, as browsers write an unknown origin, if it is not a URL. */
const originOf = (referrer: string): string => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(referrer)?.[0] ?? 'null';
