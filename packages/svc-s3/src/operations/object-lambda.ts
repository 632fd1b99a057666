import type {
  GetObjectOutput,
  GetObjectRequest,
  InputOf,
  OutputOf,
  WriteGetObjectResponseRequest,
} from '@emu/service-types/s3';
import { AwsError } from '@emu/wire';
import type { S3Context } from '../context.ts';
import { invalidArgument, invalidRequest, s3Error } from '../errors.ts';
import { type LambdaAnswer, type ObjectLambdaResponses, Passage } from '../object-lambda/responses.ts';
import { eventOf, goneOf, invoke, type Transformed, transformedBy } from '../object-lambda/transformation.ts';
import { getObject } from './objects.ts';

/** Status codes that a function may return. */
const STATUSES: ReadonlySet<number> = new Set([200, 206, 304, 400, 401, 403, 404, 405, 409, 411, 412, 416, 500, 503]);

/** Returns an object; through an Object Lambda access point its function's response. */
export function GetObject(input: InputOf<'GetObject'>, ctx: S3Context): Promise<OutputOf<'GetObject'>> {
  const transformed = transformedBy('GetObject', input);
  return transformed ? getTransformed(input, transformed, ctx) : getObject(input, ctx);
}

async function getTransformed(
  input: GetObjectRequest,
  transformed: Transformed,
  ctx: S3Context,
): Promise<GetObjectOutput> {
  const outputToken = ctx.ids.bytes(48).toString('base64url');
  const outputRoute = `io-${ctx.ids.hex(8)}`;
  const gone = goneOf(ctx.signal);
  let deliver!: (answer: LambdaAnswer) => void;
  const answered = new Promise<LambdaAnswer>((resolve) => {
    deliver = resolve;
  });
  const done = ctx.state.objectLambda.wait(outputToken, {
    route: outputRoute,
    point: transformed.point.arn,
    signal: ctx.signal,
    deliver,
  });
  try {
    const event = await eventOf('GetObject', input.Key, transformed, ctx, { outputRoute, outputToken });
    const finished = invoke(transformed.transformation, event, ctx).then(() => {
      throw s3Error(
        'LambdaResponseNotReceived',
        'The Lambda function exited without successfully calling WriteGetObjectResponse.',
        { status: 500 },
      );
    });
    // The function continues after its response; its outcome is then ignored.
    finished.catch(() => undefined);
    return outputOf(await Promise.race([answered, finished, gone.promise]), ctx);
  } finally {
    done();
    gone.stop();
  }
}

/**
 * Converts a function's response for the caller.
 * @throws AwsError the function's error
 */
function outputOf({ input, body }: LambdaAnswer, ctx: S3Context): GetObjectOutput {
  const { StatusCode: status = 200, ErrorCode: code, ErrorMessage: message, ...rest } = input;
  if (status >= 400 || code !== undefined)
    throw new AwsError(code ?? 'UnknownError', message ?? 'The Lambda function answered with an error.', {
      status: Math.max(status, 400),
    });
  if (status !== 200) ctx.reply.status = status;
  const { RequestRoute: _route, RequestToken: _token, Body: _body, ContentLength: _length, Expires, ...members } = rest;
  const length = lengthOf(input);
  return {
    ...members,
    ...(Expires !== undefined && { Expires }),
    ...(length !== undefined && { ContentLength: length }),
    Metadata: { ...input.Metadata },
    Body: body,
  } as GetObjectOutput;
}

/** Length of a response, if declared; not for framed bodies, whose length includes framing. */
const lengths = new WeakMap<WriteGetObjectResponseRequest, number>();
const lengthOf = (input: WriteGetObjectResponseRequest): number | undefined => lengths.get(input);

/**
 * Responds to a request waiting behind an Object Lambda access point, streaming the body.
 * @throws AwsError `InvalidRequest` for an unknown token, `InvalidArgument`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_WriteGetObjectResponse.html
 */
export async function WriteGetObjectResponse(
  input: InputOf<'WriteGetObjectResponse'>,
  ctx: S3Context,
): Promise<OutputOf<'WriteGetObjectResponse'>> {
  const { StatusCode: status, RequestRoute: route, RequestToken: token } = input;
  if (status !== undefined && !STATUSES.has(status))
    throw invalidArgument(
      'The status code is not supported by WriteGetObjectResponse.',
      'x-amz-fwd-status',
      String(status),
    );
  const { owner, waiting } = take(ctx, token, route);
  const decoded = ctx.http?.headers['x-amz-decoded-content-length'] ?? input.ContentLength;
  if (decoded !== undefined) lengths.set(input, Number(decoded));
  const passage = new Passage();
  const left = () => passage.end();
  waiting.signal.addEventListener('abort', left, { once: true });
  // Errors and not-modified responses have no body.
  if ((status ?? 200) >= 304 || input.ErrorCode !== undefined) passage.end();
  waiting.deliver({ input, body: passage.read() });
  try {
    const { id } = await ctx.bodies.write(passing(input.Body, passage));
    owner.keep({
      requestRoute: route,
      requestToken: token,
      statusCode: status ?? 200,
      ...(input.ContentType !== undefined && { contentType: input.ContentType }),
      metadata: { ...input.Metadata },
      bodyId: id,
      ...(input.ErrorCode !== undefined && { errorCode: input.ErrorCode }),
      ...(input.ErrorMessage !== undefined && { errorMessage: input.ErrorMessage }),
      timestamp: new Date(ctx.clock.now()).toISOString(),
    });
    return {};
  } catch (error) {
    passage.end(error);
    throw error;
  } finally {
    passage.end();
    waiting.signal.removeEventListener('abort', left);
  }
}

/** Finds the waiting request in any account. */
function take(ctx: S3Context, token: string, route: string) {
  for (const { state } of ctx.handle.states()) {
    const owner: ObjectLambdaResponses = state.objectLambda;
    const waiting = owner.take(token, route);
    if (waiting) return { owner, waiting };
  }
  throw invalidRequest('The request token or the request route is not valid, or the request has been answered.');
}

/** Yields the body at the waiting request's pace. */
async function* passing(body: WriteGetObjectResponseRequest['Body'], passage: Passage): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
  for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
    await passage.push(chunk);
    yield chunk;
  }
  passage.end();
}
