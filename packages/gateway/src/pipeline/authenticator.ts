import type { Kernel } from '@emu/core';
import { Dialects } from '../sigv4/dialects.ts';
import { SignatureVerifier } from '../sigv4/verifier.ts';
import type { ApiRequest } from './api-request.ts';
import type { Callers } from './callers.ts';

/** Verifies the signatures of requests and sets their callers. */
export class Authenticator {
  private readonly verifier: SignatureVerifier;
  private readonly dialects = new Dialects();

  constructor(
    kernel: Kernel,
    private readonly callers: Callers,
  ) {
    this.verifier = new SignatureVerifier(kernel);
  }

  /**
   * Verifies the head, receives the body and verifies the body.
   * @param receive receives the body as the operation takes it
   * @throws AwsError for a failed verification
   */
  async authenticate(request: ApiRequest, receive: (request: ApiRequest) => Promise<void> | undefined): Promise<void> {
    const { method, query, received, signedPath, payload, matched } = request;
    const protocol = request.serverProtocol!;
    const known = this.dialects.of(request.manifest, protocol.protocol);
    const dialect = known instanceof Promise ? await known : known;
    const unsignedAllowed = matched?.operation.auth === 'none' || dialect.rules.anonymous === true;
    const signed = { method, path: signedPath, query, headers: received.headers, resourcePath: request.path };
    const expected = { services: request.manifest.signingNames, region: request.region };
    const verification = this.verifier.begin(signed, dialect, expected, unsignedAllowed);
    const principal = verification.principal ?? this.callers.anonymous();
    request.principal = principal;
    request.accountId = principal.accountId;
    payload.verifier = verification.chunks;
    // A stream with a signed hash is read completely before its use. Signatures are verified before the error for an
    // unknown operation.
    if (verification.needsBody && !(matched && !protocol.streams(matched.name))) await payload.readWhole();
    await receive(request);
    if (request.stream && !verification.needsBody) request.stream = verification.guard(request.stream);
    else if (payload.raw) verification.body(payload.raw);
  }
}
