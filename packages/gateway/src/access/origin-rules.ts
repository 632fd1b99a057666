import type { EmulatorSettings } from '@emu/core/service';
import { codespaceNames } from './codespaces.ts';
import { isOneLabel } from './host-rules.ts';

const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/(\[[0-9a-f:.]+\]|[^\s/:?#@[\]]+)(?::(\d{1,5}))?$/;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The parts of an origin as browsers write it. */
export interface OriginParts {
  readonly scheme: string;
  /** In brackets for an address of version 6. */
  readonly host: string;
  /** Undefined for the scheme's default port. */
  readonly port: string | undefined;
}

/** Parses an origin in lower case; undefined where it is malformed or `null`. */
export function partsOf(origin: string): OriginParts | undefined {
  const [, scheme, host, port] = ORIGIN.exec(origin) ?? [];
  return scheme === undefined ? undefined : { scheme, host: host!, port };
}

/** Whether a host in lower case is this machine's loopback interface. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/**
 * Which web pages may use the emulator: those that a server of this machine made, or of where emu itself is, and those that
 * a setting names. Every other page that its user happens to look at would act with the user's reach, since emu's clients
 * need no secret.
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
   * @param origin an `Origin` header, or what it would be
   * @param name the trusted host name by which emu is called, in lower case and without a port
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

/** A pattern of `--allow-origin` as an expression; a star never goes beyond the origin. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[^\w-]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]*')}$`);
}
