import type { Kernel } from '@emu/core';
import type { ServiceManifest } from '@emu/core/service';
import type { HeaderValues, Protocol } from '@emu/wire';
import type { RequestPayload } from '../body/payload.ts';
import type { Callers } from '../pipeline/callers.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { Dialects } from './dialects.ts';
import { SignatureVerifier } from './verifier.ts';

/** A request whose signature is to be checked. */
export interface AuthenticationRequest {
  exchange: Exchange;
  /** The path as it was sent, without the resource that the host names. */
  signedPath: string;
  /** The headers as they were sent. */
  signedHeaders: HeaderValues;
  payload: RequestPayload;
  manifest: ServiceManifest;
  protocol: Protocol;
  /** Whether the operation may be called without a signature. */
  unsignedAllowed: boolean;
  /** Whether the operation takes its body as a stream; undefined where the request names no operation. */
  streams: boolean | undefined;
  /** Receives the body as the operation takes it. */
  receive(): Promise<void> | undefined;
}

/** Lets only requests pass whose signatures verify, and settles who makes them. */
export class Authenticator {
  private readonly verifier: SignatureVerifier;
  private readonly dialects = new Dialects();

  constructor(
    kernel: Kernel,
    private readonly callers: Callers,
  ) {
    this.verifier = new SignatureVerifier(kernel);
  }

  /** Checks the head, receives the body and checks that too. @throws AwsError where anything is wrong */
  async authenticate(request: AuthenticationRequest): Promise<void> {
    const { exchange, signedPath, signedHeaders, payload, manifest, protocol, streams } = request;
    const { wire } = exchange;
    const known = this.dialects.of(manifest, protocol);
    const dialect = known instanceof Promise ? await known : known;
    const unsignedAllowed = request.unsignedAllowed || dialect.rules.anonymous === true;
    const signed = { ...wire, path: signedPath, headers: signedHeaders, resourcePath: wire.path };
    const verification = this.verifier.begin(signed, dialect, unsignedAllowed);
    const principal = verification.principal ?? this.callers.anonymous();
    exchange.principal = principal;
    exchange.accountId = principal.accountId;
    payload.verifier = verification.chunks;
    // A stream whose hash is signed has to be known as a whole before any of it may be used; and a signature is checked
    // before a caller is told that there is no such operation.
    if (verification.needsBody && streams !== false) await payload.readWhole();
    await request.receive();
    if (wire.stream && !verification.needsBody) wire.stream = verification.guard(wire.stream);
    else if (payload.raw) verification.body(payload.raw);
  }
}
