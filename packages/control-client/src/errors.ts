/** The emulator answered with a status of 400 or more. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Short name of the error, e.g. `NotImplemented`; undefined where the answer has none. */
  readonly code: string | undefined;

  /**
   * @param route method and path template of the route, e.g. `GET /_emulator/sqs/messages`
   * @param status HTTP status
   * @param body the answer's JSON, or its text where it is not JSON
   */
  constructor(
    readonly route: string,
    readonly status: number,
    readonly body: unknown,
  ) {
    const { code, message } = errorOf(body);
    super(message ?? `${route} answered with status ${status}`);
    this.code = code;
  }
}

/** No usable answer came: the connection failed, or what answered is not the emulator. `cause` tells why. */
export class HttpError extends Error {
  override readonly name = 'HttpError';

  /**
   * @param route method and path template of the route
   * @param message what failed
   * @param cause the error of `fetch`, of reading the answer, or of parsing it
   */
  constructor(
    readonly route: string,
    message: string,
    cause: unknown,
  ) {
    super(`${route}: ${message}`, { cause });
  }
}

/**
 * Code and message of an answer: control routes nest them in `error`, credential endpoints have them at the top as
 * AWS's own do.
 */
function errorOf(body: unknown): { code?: string; message?: string } {
  if (typeof body !== 'object' || body === null) return {};
  const { code, message } = ('error' in body && typeof body.error === 'object' && body.error ? body.error : body) as {
    code?: unknown;
    message?: unknown;
  };
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { message }),
  };
}
