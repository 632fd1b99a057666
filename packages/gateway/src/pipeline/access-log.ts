import type { Invocation } from '@emu/core';
import type { Logger } from '@emu/core/service';

/** Fields of an access log entry that do not come from the invocation. */
export interface AccessLogEntry {
  method: string;
  path: string;
  status: number;
  /** Milliseconds until the response headers; a streamed body may follow. */
  duration: number;
}

/**
 * Writes a request's entry in the access log, at level debug: as text
 * (`POST sqs.SendMessage 200 0.4 ms 123456789012 us-east-1 <request id>`) or, with the log format json, as fields.
 * @param invocation undefined for control and metadata routes, which are named by their path
 */
export function logAccess(log: Logger, facts: AccessLogEntry, invocation: Invocation | undefined): void {
  const { method, path, status } = facts;
  const duration = Number(facts.duration.toFixed(1));
  if (!invocation) {
    if (log.format === 'json') log.debug('request', { method, path, status, duration });
    else log.debug(`${method} ${path} ${status} ${duration.toFixed(1)} ms`);
    return;
  }
  const { service, operation, accountId, region, requestId } = invocation;
  if (log.format === 'json')
    log.debug('request', { method, path, service, operation, status, duration, accountId, region, requestId });
  else {
    const what = service === '' ? path : `${service}.${operation || '?'}`;
    log.debug(
      [method, what, status, `${duration.toFixed(1)} ms`, accountId, region, requestId]
        .filter((part) => part !== '')
        .join(' '),
    );
  }
}
