import {
  type Clock,
  type Ids,
  type Logger,
  partitionOf,
  type ServiceCaller,
  type ServiceHandle,
  servicePrincipalName,
} from '@emu/core/service';
import type { S3State } from '../state.ts';

/** Context for writes and notifications; both request contexts and processors provide it. */
export interface Actor {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly handle: ServiceHandle<S3State>;
  readonly region: string;
  readonly partition: string;
  readonly requestId: string;
  /** X-Ray header of the request, if any. */
  readonly traceHeader?: string | undefined;
  /** The caller. */
  readonly principal: { readonly userId: string; readonly accountId: string };
  readonly http: { readonly remoteAddress: string | undefined } | undefined;
  readonly call: ServiceCaller['call'];
}

/** Identity of S3's own processors. */
export const S3_ITSELF = servicePrincipalName('s3');

/**
 * Creates the actor of an account's processors.
 * @param requestId of the originating request, if any
 */
export function actorOf({ accountId, scope }: S3State, requestId = scope.ids.uuid()): Actor {
  const { clock, ids, log, service, settings } = scope;
  return {
    clock,
    ids,
    log,
    handle: service as ServiceHandle<S3State>,
    region: settings.region,
    partition: partitionOf(settings.region),
    requestId,
    principal: { userId: S3_ITSELF, accountId },
    http: undefined,
    call: (name, operation, input, options) => scope.call(name, operation, input, { cause: requestId, ...options }),
  };
}
