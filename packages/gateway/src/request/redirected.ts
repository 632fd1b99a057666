import type { Kernel, RecordableRequest } from '@emu/core';
import { headerOf } from '@emu/wire';
import type { GatewayRequest } from './gateway-request.ts';

/** Returns the host and the program of a redirected request, for the recorder; undefined for other requests. */
export const redirectedTo = ({ program, headers, authority }: GatewayRequest): RecordableRequest['redirected'] =>
  program && { host: headerOf(headers, 'host') ?? authority ?? '', from: program.arn };

/** A completed request without an operation: to a data plane, or for an unknown service. */
export interface RedirectedOutcome extends Pick<RecordableRequest, 'requestId' | 'service' | 'status'> {
  readonly errorCode?: string | undefined;
  readonly errorMessage?: string | undefined;
  /** `performance.now()` at its arrival. */
  readonly started: number;
}

/** Records a redirected request without an operation. */
export function recordRedirected(
  { recorder, clock, settings }: Kernel,
  received: GatewayRequest,
  { errorCode, errorMessage, started, ...outcome }: RedirectedOutcome,
): void {
  const { accountId, region } = settings;
  const duration = performance.now() - started;
  recorder.record({
    ...outcome,
    operation: '',
    cause: received.program?.cause(),
    via: undefined,
    principal: { type: 'anonymous', accountId, arn: '*', userId: 'anonymous' },
    accountId,
    region,
    input: undefined,
    output: undefined,
    errorCode,
    errorMessage,
    receivedAt: clock.now() - Math.round(duration),
    duration,
    redirected: redirectedTo(received),
  });
}
