import { AwsError } from '@emu/wire';

/** Outcome of one attempt. */
export type Attempt =
  | { delivered: true }
  | {
      delivered: false;
      code: string;
      message: string;
      retry: boolean;
      /** Milliseconds to wait, from the target's `Retry-After` header. */
      retryAfter?: number;
    };

/** A successful attempt. */
export const DELIVERED: Attempt = { delivered: true };

/** Error codes in dead letters, by the target's error. */
function codeOf(error: AwsError): string {
  if (/AccessDenied|AuthorizationError|NotAuthorized|Forbidden/i.test(error.code)) return 'NO_PERMISSIONS';
  if (/NotFound|NonExistentQueue|DoesNotExist|NoSuch/i.test(error.code)) return 'NO_RESOURCE';
  if (/Throttl|TooManyRequests|LimitExceeded/i.test(error.code)) return 'THROTTLING';
  return 'SDK_CLIENT_ERROR';
}

/** Returns the outcome of a failed attempt, which is retried unless the failure is permanent. */
export function failureOf(error: unknown): Attempt {
  if (!(error instanceof AwsError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { delivered: false, code: 'INTERNAL_ERROR', message, retry: true };
  }
  const code = codeOf(error);
  const retry = code === 'THROTTLING' || ((error.status ?? 400) >= 500 && error.code !== 'NotImplemented');
  return { delivered: false, code, message: error.message, retry };
}
