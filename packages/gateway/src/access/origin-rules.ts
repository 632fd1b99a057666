import type { EmulatorSettings } from '@emu/core/service';
import { codespaceNames } from './codespaces.ts';
import { isOneLabel } from './host-rules.ts';

const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/(\[[0-9a-f:.]+\]|[^\s/:?#@[\]]+)(?::(\d{1,5}))?$/;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Parts of an origin as browsers write it. */
export interface OriginParts {
  readonly scheme: string;
  /** In brackets for an address of version 6. */
  readonly host: string;
  /** Undefined for the scheme's default port. */
  readonly port: string | undefined;
}

/** Parses an origin in lower case; undefined for a malformed one and for `null`. */
export function partsOf(origin: string): OriginParts | undefined {
  const [, scheme, host, port] = ORIGIN.exec(origin) ?? [];
  return scheme === undefined ? undefined : { scheme, host: host!, port };
}

/** Whether a host in lower case is this machine's loopback interface. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/**
 * Recognises the web pages that may use the emulator: pages of servers on this machine, of emu's own host, and of
 * origins in a setting. Every other page that the user views could act for the user, because emu's clients need no
 * secret.
 */
export class OriginRules {
  private readonly listed: readonly RegExp[];
  private readonly everyone: boolean;
  private readonly external: string | undefined;
  private readonly ofContainers: boolean;
  private readonly codespace = codespaceNames();

  constructor({ externalUrl, values }: EmulatorSettings) {
    const patterns = values.EMULATOR_ALLOW_ORIGINS;
    this.everyone = patterns.includes('*');
    this.listed = patterns.filter((pattern) => pattern !== '*').map(expressionOf);
    this.external = externalUrl === undefined ? undefined : new URL(externalUrl).origin;
    this.ofContainers = values.EMULATOR_ALLOW_CONTAINER_ORIGINS;
  }

  /**
   * Whether the pages of an origin may use emu.
   * @param origin an `Origin` header or its equivalent
   * @param name the trusted host name in the request, in lower case and without a port
   */
  allows(origin: string, name: string): boolean {
    const text = origin.toLowerCase();
    if (this.isListed(text)) return true;
    const host = partsOf(text)?.host;
    if (host === undefined) return false;
    return (
      this.everyone ||
      isLoopback(host) ||
      host.endsWith('.test') ||
      host === name ||
      text === this.external ||
      (this.ofContainers && isOneLabel(host)) ||
      this.codespace?.test(host) === true
    );
  }

  /** Whether `--allow-origin` admits an origin, by a pattern or by `*`. */
  admitsByOption(origin: string): boolean {
    return this.everyone || this.isListed(origin.toLowerCase());
  }

  private isListed(text: string): boolean {
    return this.listed.some((pattern) => pattern.test(text));
  }
}

/** Converts a pattern of `--allow-origin` to an expression. A star does not match beyond the origin. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[^\w-]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]*')}$`);
}
