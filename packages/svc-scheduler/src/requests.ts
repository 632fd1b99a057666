import type { Clock, Collection } from '@emu/core';
import { conflict } from './errors.ts';
import type { RequestRecord } from './records.ts';

/** Milliseconds for which a request is known by its client token. */
const KEPT = 24 * 60 * 60 * 1000;

/** Requests that were carried out, which clients may repeat with their tokens. */
export class Requests {
  constructor(
    private readonly clock: Clock,
    private readonly records: Collection<RequestRecord>,
  ) {}

  /**
   * Carries a request out once for each client token.
   * @param run carries it out. @returns the ARN to answer
   * @returns the ARN that is answered, also to a repeated request
   * @throws AwsError `ConflictException` for a token that was used for another request; what `run` throws
   */
  async once(
    operation: string,
    input: { ClientToken?: string | undefined },
    run: () => string | undefined | Promise<string | undefined>,
  ): Promise<string | undefined> {
    const { ClientToken, ...rest } = input;
    if (ClientToken === undefined) return run();
    const key = `${operation} ${ClientToken}`;
    const request = JSON.stringify(rest);
    const known = this.records.get(key);
    if (known && known.at > this.clock.now() - KEPT) {
      if (known.request === request) return known.arn;
      throw conflict('The client token was already used for a request with other parameters.');
    }
    const arn = await run();
    this.forget();
    this.records.put(key, { request, at: this.clock.now(), ...(arn !== undefined && { arn }) });
    return arn;
  }

  /** Drops what is too old to be repeated; the oldest come first. */
  private forget(): void {
    const since = this.clock.now() - KEPT;
    for (const [key, { at }] of this.records.entries()) {
      if (at > since) break;
      this.records.delete(key);
    }
  }
}
