import { type Clock, type Collection, defineCollection, type StateScope } from '@emu/core';
import { awsError } from '@emu/wire';

/** A request that was carried out, by its operation and client token. */
export interface TokenRecord {
  /** JSON of the request's other members. */
  request: string;
  /** Id of what it made. */
  made: string;
  /** Epoch milliseconds. */
  at: number;
}

export const tokenCollection = defineCollection<TokenRecord>('clientTokens', 'region');

const KEPT = 24 * 60 * 60 * 1000;

/** What requests with client tokens have made, so that one that is repeated makes nothing twice. */
export class ClientTokens {
  private readonly clock: Clock;
  private readonly records: Collection<TokenRecord>;

  constructor(scope: StateScope) {
    this.clock = scope.clock;
    this.records = scope.collection(tokenCollection);
  }

  /**
   * The id of what a request makes; a repeated one is told the id of what the first one made.
   * @throws AwsError `IdempotentParameterMismatch`; what `make` throws
   */
  idOf(operation: string, input: { ClientToken?: string | undefined }, make: () => string): string {
    const { ClientToken, ...others } = input;
    if (ClientToken === undefined) return make();
    const since = this.clock.now() - KEPT;
    for (const [key, { at }] of [...this.records.entries()]) if (at < since) this.records.delete(key);
    const key = `${operation} ${ClientToken}`;
    const request = JSON.stringify(others);
    const known = this.records.get(key);
    if (known && known.request !== request)
      throw awsError(
        'IdempotentParameterMismatch',
        'The client token was used before, for a request with other parameters.',
      );
    const made = known?.made ?? make();
    if (!known) this.records.put(key, { request, made, at: this.clock.now() });
    return made;
  }
}
