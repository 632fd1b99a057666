/** Error for a response with a status of 400 or more. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Short name of the error, e.g. `NotImplemented`; undefined if the response has none. */
  readonly code: string | undefined;

  /**
   * @param route method and path template of the route, e.g. `GET /_emulator/sqs/messages`
   * @param status HTTP status
   * @param body JSON of the response, or its text if it is not JSON
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

/** Error without a usable response: the connection failed, or another server responded. `cause` contains the reason. */
export class HttpError extends Error {
  override readonly name = 'HttpError';

  /**
   * @param route method and path template of the route
   * @param message describes the failure
   * @param cause error of `fetch`, of reading the response, or of parsing it
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
 * Returns code and message of a response: control routes nest them in `error`, credential endpoints have them at the
 * top level, as in AWS.
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
