import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { awsError, compileService, type ReceivedResponse, responseDecoder, type WireResponse } from '../src/index.ts';
import { Arbitraries } from './support/arbitrary.ts';
import { comparable } from './support/comparable.ts';
import { prune } from './support/prune.ts';
import type { Answer } from './support/sdk.ts';
import { clientOf, commandOf, modelOf, SERVICES } from './support/services.ts';

/** Returns an encoded response as a client receives it. */
function received({ status, headers, body }: WireResponse): ReceivedResponse {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { status, headers: Object.fromEntries(lower), body: Buffer.from(body as string | Uint8Array) };
}

describe.each(SERVICES)('$protocol: encodes and decodes like the SDK ($client)', (service) => {
  const model = modelOf(service.model);
  const codec = compileService(model);
  const arbitraries = new Arbitraries(model, service.protocol, service.special);
  const loses = ['awsQuery', 'ec2Query', 'restXml'].includes(service.protocol);
  const same = async (actual: unknown, expected: unknown): Promise<void> => {
    const [found, wanted] = await Promise.all([comparable(actual), comparable(expected)]);
    if (loses) expect(prune(found)).toEqual(prune(wanted));
    else expect(found).toEqual(wanted);
  };
  let answer: Answer;
  const decoder = responseDecoder(codec, service.protocol);
  const client = clientOf(service, codec, (...call) => answer(...call));

  for (const [name, operation] of Object.entries(model.operations)) {
    const reason = service.left?.[name];
    const command = commandOf(service, name);
    it.skipIf(reason !== undefined || command === undefined)(reason ? `${name}: ${reason}` : name, async () => {
      const inputs = operation.input ? arbitraries.structure(operation.input.shape) : fc.constant({});
      const outputs = operation.output ? arbitraries.structure(operation.output.shape) : fc.constant({});
      const tokens = Object.entries(model.shapes[operation.input?.shape ?? '']?.members ?? {}).filter(
        ([, member]) => member.idempotencyToken,
      );
      const property = fc.asyncProperty(inputs, outputs, async (input, output) => {
        let decoded: Record<string, unknown> | undefined;
        let own: Record<string, unknown> | undefined;
        answer = (protocol, matched, value) => {
          expect(protocol.protocol).toBe(service.protocol);
          expect(matched).toBe(name);
          decoded = value as Record<string, unknown>;
          const response = protocol.encode(name, output, 'request-1');
          if (!decoder.streamed(name)) own = decoder.decode(name, received(response));
          return response;
        };
        const { $metadata, ...read } = await client.send(new command!(input));
        expect($metadata).toMatchObject({ requestId: 'request-1' });
        // The SDK generates missing tokens.
        for (const [token] of tokens) if (!Object.hasOwn(input, token)) delete decoded![token];
        for (const member of service.added ?? []) if (!Object.hasOwn(input, member)) delete decoded![member];
        await same(decoded, input);
        await same(read, output);
        if (own) await same(own, output);
      });
      await fc.assert(property, { seed: 20240601, numRuns: 12 });
    });
  }

  const [first, operation] = Object.entries(model.operations).find(([name]) => commandOf(service, name))!;
  const input = fc.sample(arbitraries.structure(operation.input!.shape), { seed: 7, numRuns: 1 })[0]!;
  const errors = Object.entries(model.shapes).filter(([, shape]) => shape.exception);
  it.each(errors.map(([name]) => name))('error %s', async (name) => {
    const property = fc.asyncProperty(arbitraries.structure(name), async (members) => {
      const message = Object.keys(members).find((member) => member.toLowerCase() === 'message');
      if (message) delete members[message];
      let own: ReturnType<typeof decoder.decodeError> | undefined;
      answer = (protocol) => {
        const response = protocol.encodeError(awsError(name, 'It failed.', { members }), 'request-1', first);
        own = decoder.decodeError(first, received(response));
        return response;
      };
      const error = await client.send(new (commandOf(service, first)!)(input)).catch((caught: unknown) => caught);
      // For services that came from awsQuery, SDKs name errors by their codes.
      expect([name, model.shapes[name]!.error?.code]).toContain((error as Error).name);
      expect(error).toMatchObject({ $metadata: { requestId: 'request-1' } });
      if (message) expect(error).toMatchObject({ message: 'It failed.' });
      const read = Object.fromEntries(Object.entries(error as object).filter(([key]) => Object.hasOwn(members, key)));
      await same(read, members);
      expect([name, model.shapes[name]!.error?.code]).toContain(own?.code);
      if (message) expect(own?.message).toBe('It failed.');
      await same(own!.members, members);
    });
    await fc.assert(property, { seed: 20240601, numRuns: 4 });
  });
});
