import { compileService } from '@emu/wire';
import { describe, expect, it } from 'vitest';
import { comparable } from '../../../packages/wire/test/support/comparable.ts';
import {
  type Case,
  handlerValue,
  type InputVector,
  inputCases,
  requestOf,
  vectorFiles,
  vectorsPresent,
} from './vectors.ts';

/** Vectors that do not apply to a server, with the reason. One that passes anyway fails its test. */
const CLIENT_ONLY: Record<string, string> = {
  ...left(
    ['json', 'json_1_0', 'rest-json', 'rest-xml', 'query', 'ec2'],
    /^SDKAppl|^SDKAppend/,
    'the compressed body is not in the vector',
  ),
  ...left(
    ['rest-json', 'rest-xml'],
    /HostWithPath$/,
    'the path comes from an endpoint that the client is configured with',
  ),
  ...left(['rest-json', 'rest-xml', 'query', 'ec2'], /IdempotencyTokenAutoFill$/, 'the SDK made the token up'),
  ...left(['query', 'ec2'], /Ec2EmptyQueryLists$|EmptyQueryMaps$/, 'no parameters cannot be told from an empty list'),
  ...left(['rest-json', 'rest-xml'], /HttpPrefixHeadersAreNotPresent$/, 'no headers cannot be told from an empty map'),
  ...left(['rest-json', 'rest-xml'], /OmitsEmptyListQueryValues$/, 'no parameters cannot be told from an empty list'),
  ...left(
    ['rest-json', 'rest-xml'],
    /QueryPrecedence$|QueryParamsStringListMap$/,
    'servers put every parameter in the map',
  ),
  ...left(
    ['rest-xml'],
    /AllQueryStringTypes$|QueryStringEscaping$|FloatQueryValues$|ZeroAndFalseQueryValues$/,
    'servers put every parameter in the map',
  ),
  ...left(
    ['rest-json', 'rest-xml'],
    /HttpWithEmptyStructurePayload$|HttpWithHeadersButNoPayload$/,
    'the body has the empty structure that the SDK was not given',
  ),
};

/** Vectors of some files with matching names, with one reason. */
function left(files: string[], name: RegExp, reason: string): Record<string, string> {
  const cases = files.flatMap((file) => inputCases(file).map((one) => ({ file, one })));
  return Object.fromEntries(
    cases.filter(({ one }) => name.test(one.name)).map(({ file, one }) => [`${file}/${one.name}`, reason]),
  );
}

async function check(one: Case<InputVector>): Promise<void> {
  const { model, operation, vector } = one;
  const codec = compileService(model);
  const request = requestOf(one);
  const protocol = codec.protocolOf(request)!;
  expect(protocol.match(request)?.name).toBe(operation);
  const input = model.operations[operation]!.input;
  const expected = input ? handlerValue(model, input, vector.params ?? {}) : {};
  const decoded = protocol.decode(operation, request);
  codec.validate(operation, decoded);
  expect(await comparable(decoded)).toEqual(await comparable(expected));
}

describe.skipIf(!vectorsPresent)('decodes requests of SDKs to their inputs', () => {
  for (const file of vectorFiles) {
    const cases = inputCases(file);
    describe.skipIf(cases.length === 0)(file, () => {
      for (const one of cases) {
        const key = `${file}/${one.name}`;
        const reason = CLIENT_ONLY[key];
        if (reason === undefined) it(one.name, () => check(one));
        else it(`${one.name} is left out: ${reason}`, async () => expect(check(one)).rejects.toThrow());
      }
    });
  }
});
