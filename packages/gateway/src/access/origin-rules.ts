import type { EmulatorSettings } from '@emu/core';
import { codespaceNames } from './codespaces.ts';
import { isOneLabel } from './host-rules.ts';

/** An origin as browsers write it: scheme, host and a port that is not the scheme's own. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(\[[0-9a-f:.]+\]|[^\s/:?#@[\]]+)(?::\d{1,5})?$/;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

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
    if (this.listed.some((pattern) => pattern.test(text))) return true;
    const host = ORIGIN.exec(text)?.[1];
    if (host === undefined) return false;
    return (
      this.everyone ||
      LOOPBACK.test(host) ||
      host.endsWith('.test') ||
      host === name ||
      text === this.external ||
      (this.ofContainers && isOneLabel(host)) ||
      this.codespace?.test(host) === true
    );
  }
}

/** A pattern of `--allow-origin` as an expression; a star never goes beyond the origin. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[^\w-]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]*')}$`);
}
