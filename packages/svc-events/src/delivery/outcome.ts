import { AwsError } from '@emu/wire';

/** What one attempt came to. */
export type Attempt =
  | { delivered: true }
  | {
      delivered: false;
      code: string;
      message: string;
      retry: boolean;
      /** Milliseconds that the target asks to wait. */
      retryAfter?: number;
    };

/** An attempt that worked. */
export const DELIVERED: Attempt = { delivered: true };

/** Codes that AWS gives dead letters, by what the target answered. */
function codeOf(error: AwsError): string {
  if (/AccessDenied|AuthorizationError|NotAuthorized|Forbidden/i.test(error.code)) return 'NO_PERMISSIONS';
  if (/NotFound|NonExistentQueue|DoesNotExist|NoSuch/i.test(error.code)) return 'NO_RESOURCE';
  if (/Throttl|TooManyRequests|LimitExceeded/i.test(error.code)) return 'THROTTLING';
  return 'SDK_CLIENT_ERROR';
}

/** A failed attempt; what the target cannot be blamed for for ever is tried again. */
export function failureOf(error: unknown): Attempt {
  if (!(error instanceof AwsError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { delivered: false, code: 'INTERNAL_ERROR', message, retry: true };
  }
  const code = codeOf(error);
  const retry = code === 'THROTTLING' || ((error.status ?? 400) >= 500 && error.code !== 'NotImplemented');
  return { delivered: false, code, message: error.message, retry };
}
