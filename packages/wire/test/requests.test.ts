import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileService, requestEncoder, WholeBody } from '../src/index.ts';
import { Arbitraries } from './support/arbitrary.ts';
import { comparable } from './support/comparable.ts';
import { prune } from './support/prune.ts';
import { commandOf, modelOf, SERVICES } from './support/services.ts';

const CLIENTS = SERVICES.filter(({ protocol }) => protocol !== 'ec2Query');

describe.each(CLIENTS)('$client: decodes the requests of the encoder', (service) => {
  const model = modelOf(service.model);
  const codec = compileService(model);
  const encoder = requestEncoder(model);
  const arbitraries = new Arbitraries(model, encoder.protocol, service.special);
  const loses = !encoder.protocol.startsWith('awsJson') && encoder.protocol !== 'restJson1';

  for (const [name, operation] of Object.entries(model.operations)) {
    const reason = service.left?.[name];
    it.skipIf(reason !== undefined || commandOf(service, name) === undefined)(name, async () => {
      const inputs = operation.input ? arbitraries.structure(operation.input.shape) : fc.constant({});
      const property = fc.asyncProperty(inputs, async (input) => {
        const request = await encoder.encode(name, input as Record<string, unknown>);
        const received = { ...request, stream: new WholeBody(request.body) };
        const protocol = codec.protocolOf(received)!;
        expect(protocol.protocol).toBe(encoder.protocol);
        expect(protocol.match(received)?.name).toBe(name);
        const decoded = protocol.decode(name, received) as Record<string, unknown>;
        for (const member of service.added ?? []) if (!Object.hasOwn(input, member)) delete decoded[member];
        const [found, wanted] = await Promise.all([comparable(decoded), comparable(input)]);
        if (loses) expect(prune(found)).toEqual(prune(wanted));
        else expect(found).toEqual(wanted);
      });
      await fc.assert(property, { seed: 20240601, numRuns: 12 });
    });
  }
});
