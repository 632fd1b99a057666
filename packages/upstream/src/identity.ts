import type { GatewayRequest } from '@emu/gateway/proxy';
import { isObject, responseDecoder } from '@emu/wire';
import type { Call } from './recognition.ts';

/** The user whose credentials sign requests. */
export interface Identity {
  readonly account: string;
  readonly arn: string;
}

/** The response to a request of `identityRequest`. */
export interface IdentityResponse {
  readonly call: Call;
  readonly status: number;
  readonly body: Uint8Array;
}

/** AWS refuses the user's credentials, or something else answers in its place: a sentence for the user. */
class UnknownIdentity extends Error {
  override readonly name = 'UnknownIdentity';
}

/** Returns a request of STS GetCallerIdentity, as a client would send it to the proxy. */
export function identityRequest(region: string): GatewayRequest {
  const body = Buffer.from('Action=GetCallerIdentity&Version=2011-06-15');
  return {
    method: 'POST',
    target: '/',
    headers: {
      host: 'sts.amazonaws.com',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
      authorization: `AWS4-HMAC-SHA256 Credential=emu/20260101/${region}/sts/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: {
      bytes: async () => body,
      async *stream() {
        yield body;
      },
    },
    remoteAddress: undefined,
    localPort: undefined,
    secure: false,
    signal: () => AbortSignal.timeout(30_000),
  };
}

/** Returns the user in the response of STS. @throws UnknownIdentity for an error */
export function identityIn({ call, status, body }: IdentityResponse): Identity {
  const { codec, protocol, operation } = call.modelled!;
  const decoder = responseDecoder(codec, protocol.protocol);
  const response = { status, headers: {}, body };
  if (status >= 300) {
    const { code, message } = decoder.decodeError(operation, response);
    throw new UnknownIdentity(`STS GetCallerIdentity failed with ${code}: ${message || `status ${status}`}`);
  }
  const output: unknown = decoder.decode(operation, response);
  if (!isObject(output) || typeof output.Account !== 'string' || typeof output.Arn !== 'string')
    throw new UnknownIdentity('STS GetCallerIdentity returned no account.');
  return { account: output.Account, arn: output.Arn };
}
