import type { EmulatorSettings, Logger } from '@emu/core';
import { hostNameOf } from '../hosts.ts';
import { headerOf } from '../identify.ts';
import type { GatewayRequest } from '../request.ts';
import { HostRules } from './host-rules.ts';
import { unknownHost } from './refusals.ts';
import { Remembered } from './remembered.ts';

/** What keeps a request from what emu does for its own clients. */
export interface Restriction {
  /** A host name that a resource may have: then the request is for the resource's data plane and nothing else. */
  readonly name: string;
  /**
   * Why it is refused where no resource has the name: a sentence that names the option that would let it in. Undefined
   * where it may do everything then.
   */
  readonly refusal: string | undefined;
}

/** Decides who may use an emulator: by the name it is called by. Every front asks it before anything else. */
export class Access {
  private readonly rules: HostRules;
  private readonly hosts: Remembered<Restriction | undefined>;
  private readonly reported = new WeakSet<Restriction>();

  constructor(
    settings: EmulatorSettings,
    private readonly log: Logger,
  ) {
    this.rules = new HostRules(settings);
    this.hosts = new Remembered((host) => this.restrictionOf(host));
  }

  /** Trusts the name of an address that emu listens on. */
  trust(host: string): void {
    this.rules.add(host);
    this.hosts.clear();
  }

  /** What a request, or a WebSocket's handshake, is restricted by; undefined for one that may do everything. */
  restriction(request: GatewayRequest): Restriction | undefined {
    const host = headerOf(request.headers, 'host');
    const byHost = host === undefined ? undefined : this.hosts.of(host);
    if (byHost?.refusal !== undefined) return byHost;
    const authority = request.authority ?? authorityOf(request.target);
    return (authority === undefined ? undefined : this.hosts.of(authority)) ?? byHost;
  }

  /** Writes to the log, once, why requests with a restriction are refused: a browser does not show its page the answer. */
  report(restriction: Restriction): void {
    if (restriction.refusal === undefined || this.reported.has(restriction)) return;
    this.reported.add(restriction);
    this.log.warn(restriction.refusal);
  }

  private restrictionOf(host: string): Restriction | undefined {
    const standing = this.rules.standingOf(host);
    if (standing === 'own') return undefined;
    const name = hostNameOf(host);
    return { name, refusal: standing === 'foreign' ? unknownHost(name) : undefined };
  }
}

/** The authority of a whole URL, which clients send that take emu for a proxy; undefined for a path. */
function authorityOf(target: string): string | undefined {
  if (target.charCodeAt(0) === 47) return undefined;
  return /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
}
