import type { Kernel } from '@emu/core';
import type { DataPlaneRequest, Principal, SignatureRules, SigningScope } from '@emu/core/service';
import type { Dialect } from '../sigv4/dialects.ts';
import { authError } from '../sigv4/errors.ts';
import { SignatureVerifier } from '../sigv4/verifier.ts';

/** Verifies the signatures of data plane requests. */
export class DataPlaneSignatures {
  private readonly verifier: SignatureVerifier;

  constructor(kernel: Kernel) {
    this.verifier = new SignatureVerifier(kernel);
  }

  /**
   * Returns the signer of a request; undefined for an unsigned one.
   * @param scope service and region of the data plane
   * @param bytes returns the whole body
   * @throws AwsError for an invalid signature or an unknown access key
   */
  async verify(
    request: DataPlaneRequest,
    scope: SigningScope,
    bytes: () => Promise<Uint8Array>,
  ): Promise<Principal | undefined> {
    const { method, path, query, headers } = request;
    const rules = RULES[scope.services[0]!] ?? {};
    const dialect: Dialect = { rules, error: (failure) => authError(failure, 'restJson1', rules) };
    const verification = this.verifier.begin({ method, path, query, headers }, dialect, scope, true);
    if (verification.needsBody) verification.body(await bytes());
    return verification.principal;
  }
}

/** Rules of data planes that differ from those of most services, by signing name. */
const RULES: Readonly<Record<string, SignatureRules>> = { 'execute-api': { describesMismatch: true } };
