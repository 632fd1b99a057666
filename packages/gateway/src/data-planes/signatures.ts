import type { Kernel } from '@emu/core';
import type { DataPlaneRequest, Principal } from '@emu/core/service';
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
   * @param bytes returns the whole body
   * @throws AwsError for an invalid signature or an unknown access key
   */
  async verify(request: DataPlaneRequest, bytes: () => Promise<Uint8Array>): Promise<Principal | undefined> {
    const { method, path, query, headers } = request;
    const dialect = { rules: {}, error: (failure: Parameters<typeof authError>[0]) => authError(failure, 'restJson1') };
    const verification = this.verifier.begin({ method, path, query, headers }, dialect, true);
    if (verification.needsBody) verification.body(await bytes());
    return verification.principal;
  }
}
