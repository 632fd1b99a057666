import type { Kernel } from '@emu/core';
import type { HeaderValues, Protocol } from '@emu/wire';
import type { RequestPayload } from '../body/payload.ts';
import type { Callers } from '../pipeline/callers.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { authStyle } from './errors.ts';
import { SignatureVerifier } from './verifier.ts';

/** A request whose signature is to be checked. */
export interface AuthenticationRequest {
  exchange: Exchange;
  /** The path as it was sent, before a bucket was put in front of it. */
  signedPath: string;
  /** The headers as they were sent. */
  signedHeaders: HeaderValues;
  payload: RequestPayload;
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

  constructor(
    kernel: Kernel,
    private readonly callers: Callers,
  ) {
    this.verifier = new SignatureVerifier(kernel);
  }

  /** Checks the head, receives the body and checks that too. @throws AwsError where anything is wrong */
  async authenticate(request: AuthenticationRequest): Promise<void> {
    const { exchange, signedPath, signedHeaders, payload, protocol, streams } = request;
    const { wire, service } = exchange;
    const style = authStyle(protocol, service);
    // Whether the public may use a bucket is for S3 to say.
    const unsignedAllowed = request.unsignedAllowed || style === 's3';
    const signed = { ...wire, path: signedPath, headers: signedHeaders, resourcePath: wire.path };
    const verification = this.verifier.begin(signed, style, unsignedAllowed);
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
