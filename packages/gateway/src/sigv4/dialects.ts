import type { AuthDialect, ServiceManifest, SignatureRules } from '@emu/core/service';
import type { Protocol } from '@emu/wire';
import { authError } from './errors.ts';

/** Rules for the signatures of a service's requests, and its errors. */
export interface Dialect extends AuthDialect {
  readonly rules: SignatureRules;
}

const NO_RULES: SignatureRules = {};

/** The dialects of services, by service and protocol. Each is loaded at its first use. */
export class Dialects {
  private readonly known = new Map<ServiceManifest, Map<Protocol, Dialect>>();

  /** Returns the dialect of a service in a protocol. */
  of(manifest: ServiceManifest, protocol: Protocol): Dialect | Promise<Dialect> {
    return this.known.get(manifest)?.get(protocol) ?? this.load(manifest, protocol);
  }

  private async load(manifest: ServiceManifest, protocol: Protocol): Promise<Dialect> {
    const rules = manifest.signatures ?? NO_RULES;
    const own: AuthDialect = (await rules.load?.()) ?? { error: (failure) => authError(failure, protocol, rules) };
    const dialect = { rules, ...own };
    const byProtocol = this.known.get(manifest) ?? new Map<Protocol, Dialect>();
    this.known.set(manifest, byProtocol.set(protocol, dialect));
    return dialect;
  }
}
