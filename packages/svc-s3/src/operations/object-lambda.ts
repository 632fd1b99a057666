import type {
  GetObjectOutput,
  GetObjectRequest,
  InputOf,
  OutputOf,
  WriteGetObjectResponseRequest,
} from '@emu/service-types/s3';
import { awsError } from '@emu/wire';
import type { S3Context } from '../context.ts';
import { invalidArgument, invalidRequest } from '../errors.ts';
import { type LambdaAnswer, type ObjectLambdaResponses, Passage } from '../object-lambda/responses.ts';
import { eventOf, goneOf, invoke, type Transformed, transformedBy } from '../object-lambda/transformation.ts';
import { getObject } from './objects.ts';

/** Statuses that a function may answer with. */
const STATUSES: ReadonlySet<number> = new Set([200, 206, 304, 400, 401, 403, 404, 405, 409, 411, 412, 416, 500, 503]);

/** Gets an object; through an Object Lambda access point what its function makes of it. */
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
  const done = ctx.state.objectLambda.wait(outputToken, { route: outputRoute, signal: ctx.signal, deliver });
  try {
    const event = await eventOf('GetObject', input.Key, transformed, ctx, { outputRoute, outputToken });
    const finished = invoke(transformed.transformation, event, ctx).then(() => {
      throw awsError(
        'LambdaResponseNotReceived',
        'The Lambda function exited without successfully calling WriteGetObjectResponse.',
        { status: 500 },
      );
    });
    // The function goes on after it has answered; what becomes of it then is its own business.
    finished.catch(() => undefined);
    return outputOf(await Promise.race([answered, finished, gone.promise]), ctx);
  } finally {
    done();
    gone.stop();
  }
}

/** What the caller gets of a function's answer. @throws AwsError the error that the function answers with */
function outputOf({ input, body }: LambdaAnswer, ctx: S3Context): GetObjectOutput {
  const { StatusCode: status = 200, ErrorCode: code, ErrorMessage: message, ...rest } = input;
  if (status >= 400 || code !== undefined)
    throw awsError(code ?? 'UnknownError', message ?? 'The Lambda function answered with an error.', {
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

/** Bytes of an answer, where its sender has said it; those of a framed body are more than the body's. */
const lengths = new WeakMap<WriteGetObjectResponseRequest, number>();
const lengthOf = (input: WriteGetObjectResponseRequest): number | undefined => lengths.get(input);

/**
 * Answers a request that waits behind an Object Lambda access point; what is sent goes on as it arrives.
 * @throws AwsError `InvalidRequest` where no request waits for the token, `InvalidArgument`
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
  // Whoever gets an error, or has the object already, reads no body.
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

/** The request that waits, in whatever account. */
function take(ctx: S3Context, token: string, route: string) {
  for (const { state } of ctx.handle.states()) {
    const owner: ObjectLambdaResponses = state.objectLambda;
    const waiting = owner.take(token, route);
    if (waiting) return { owner, waiting };
  }
  throw invalidRequest('The request token or the request route is not valid, or the request has been answered.');
}

/** The body, chunk by chunk as the waiting request takes it. */
async function* passing(body: WriteGetObjectResponseRequest['Body'], passage: Passage): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
  for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
    await passage.push(chunk);
    yield chunk;
  }
  passage.end();
}
