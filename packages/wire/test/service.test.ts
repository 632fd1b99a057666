import { describe, expect, it } from 'vitest';
import { compileService, type HeaderValues, type Protocol } from '../src/index.ts';
import { smallModel } from './support/small-model.ts';

const form = 'application/x-www-form-urlencoded; charset=utf-8';
const json = 'application/x-amz-json-1.0';

/** Returns the protocol of a request to a service. */
function protocolOf(protocols: Protocol[], headers: HeaderValues, query = ''): Protocol | undefined {
  const codec = compileService(smallModel(protocols));
  return codec.protocolOf({ method: 'POST', path: '/', query, headers, body: Buffer.alloc(0) })?.protocol;
}

describe('the protocol of a request', () => {
  const both: Protocol[] = ['rpcv2Cbor', 'awsJson1_0', 'awsQuery'];
  it.each([
    ['smithy-protocol', both, { 'smithy-protocol': 'rpc-v2-cbor' }, '', 'rpcv2Cbor'],
    ['a smithy protocol that is not spoken', ['awsJson1_0'], { 'smithy-protocol': 'rpc-v2-cbor' }, '', undefined],
    ['an unknown smithy protocol', both, { 'smithy-protocol': 'rpc-v3' }, '', undefined],
    ['X-Amz-Target', both, { 'x-amz-target': 'Zoo.Ping' }, '', 'awsJson1_0'],
    [
      'X-Amz-Target over the content type',
      both,
      { 'x-amz-target': 'Zoo.Ping', 'content-type': form },
      '',
      'awsJson1_0',
    ],
    ['a JSON content type', both, { 'content-type': json }, '', 'awsJson1_0'],
    ['a form', both, { 'content-type': form }, '', 'awsQuery'],
    ['Action in the query', both, {}, 'Version=1&Action=Ping', 'awsQuery'],
    ['nothing', both, {}, '', 'rpcv2Cbor'],
    ['a target for a service without JSON', ['awsQuery'], { 'x-amz-target': 'Zoo.Ping' }, '', 'awsQuery'],
    ['a form for a REST service', ['restJson1'], { 'content-type': form }, 'Action=x', 'restJson1'],
    ['EC2', ['ec2Query'], { 'content-type': form }, '', 'ec2Query'],
  ] as [string, Protocol[], HeaderValues, string, Protocol | undefined][])(
    '%s',
    (_, protocols, headers, query, expected) => {
      expect(protocolOf(protocols, headers, query)).toBe(expected);
    },
  );
});
