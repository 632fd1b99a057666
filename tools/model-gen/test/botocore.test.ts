import { describe, expect, it } from 'vitest';
import {
  type BotocoreService,
  fromBotocore,
  mergePatch,
  protocolOf,
  selectOperations,
  typesIndexOf,
  typesOf,
} from '../src/index.ts';

const description: BotocoreService = {
  metadata: {
    apiVersion: '2020-01-01',
    endpointPrefix: 'things',
    protocol: 'json',
    jsonVersion: '1.1',
    serviceId: 'Things',
    targetPrefix: 'Things_20200101',
    awsQueryCompatible: {},
    xmlNamespace: 'http://things.example/',
  },
  operations: {
    PutThing: {
      name: 'PutThing',
      http: { method: 'POST', requestUri: '/', responseCode: 201 },
      input: { shape: 'PutThingRequest', documentation: 'dropped' },
      output: { shape: 'PutThingResponse', resultWrapper: 'PutThingResult' },
      errors: [{ shape: 'NoThing' }, { shape: 'NoThing' }],
      documentation: '<p>dropped</p>',
      endpoint: { hostPrefix: '{Name}.' },
      auth: ['smithy.api#noAuth'],
    },
    GetThing: { name: 'GetThing', http: { method: 'POST', requestUri: '/' } },
  },
  shapes: {
    PutThingRequest: {
      type: 'structure',
      required: ['Name'],
      members: {
        Name: { shape: 'Name', hostLabel: true, documentation: 'dropped' },
        Kind: { shape: 'Kind' },
        Tags: { shape: 'Tags' },
        Body: { shape: 'Body', streaming: true },
        When: { shape: 'When' },
      },
    },
    PutThingResponse: {
      type: 'structure',
      members: { Items: { shape: 'Items' }, Body: { shape: 'Body', streaming: true } },
    },
    Items: { type: 'list', member: { shape: 'Kind' } },
    Name: { type: 'string', min: 1, max: 10, pattern: '[a-z]+' },
    Kind: { type: 'string', enum: ['big', 'small'] },
    Tags: { type: 'map', key: { shape: 'Name' }, value: { shape: 'Name' } },
    Body: { type: 'blob' },
    When: { type: 'timestamp' },
    NoThing: { type: 'structure', members: {}, error: { code: 'Things.None', httpStatusCode: 404 }, exception: true },
    Unlisted: { type: 'structure', members: { message: { shape: 'Name' } }, exception: true },
    Unused: { type: 'string' },
  },
};

const source = { botocore: '1.0.0', path: 'things/2020-01-01' };
const model = fromBotocore('things', description, source);

describe('fromBotocore', () => {
  it('keeps the metadata for the wire, with defaults', () => {
    expect(model.metadata).toEqual({
      apiVersion: '2020-01-01',
      endpointPrefix: 'things',
      signingName: 'things',
      serviceId: 'Things',
      protocols: ['awsJson1_1'],
      targetPrefix: 'Things_20200101',
      xmlNamespace: { uri: 'http://things.example/' },
      queryCompatible: true,
    });
  });

  it("includes the facts about S3 from botocore's code", () => {
    const { metadata, operations } = fromBotocore(
      's3',
      {
        ...description,
        metadata: { apiVersion: '2006-03-01', protocol: 'rest-xml', serviceId: 'S3' },
        operations: {
          GetLocation: {
            name: 'GetLocation',
            http: { method: 'GET', requestUri: '/' },
            output: { shape: 'PutThingResponse', unwrapped: true },
          },
        },
      },
      source,
    );
    expect(metadata.noErrorWrapping).toBe(true);
    expect(operations.GetLocation!.output).toEqual({ shape: 'PutThingResponse', unwrapped: true });
  });

  it('sorts operations and drops documentation and duplicate errors', () => {
    expect(Object.keys(model.operations)).toEqual(['GetThing', 'PutThing']);
    expect(model.operations.PutThing).toEqual({
      http: { method: 'POST', uri: '/', code: 201 },
      input: { shape: 'PutThingRequest' },
      output: { shape: 'PutThingResponse', resultWrapper: 'PutThingResult' },
      errors: ['NoThing'],
      hostPrefix: '{Name}.',
      auth: 'none',
    });
    expect(JSON.stringify(model)).not.toContain('dropped');
  });

  it('keeps exceptions that no operation lists and drops other unused shapes', () => {
    expect(model.shapes.Unlisted).toBeDefined();
    expect(model.shapes.Unused).toBeUndefined();
    expect(model.shapes.NoThing?.error).toEqual({ code: 'Things.None', httpStatusCode: 404 });
  });

  it('is deterministic', () => {
    expect(JSON.stringify(fromBotocore('things', description, source))).toBe(JSON.stringify(model));
  });

  it('rejects an undefined shape and an unknown protocol', () => {
    const broken = {
      ...description,
      shapes: { ...description.shapes, Items: { type: 'list', member: { shape: 'Gone' } } },
    };
    expect(() => fromBotocore('things', broken, source)).toThrow('shape Gone is used and not defined');
    expect(() => protocolOf('soap', undefined)).toThrow('unknown protocol soap');
  });
});

describe('typesOf', () => {
  const types = typesOf(model);

  it('writes required members without and others with a question mark', () => {
    expect(types).toContain('  Name: string;\n  Kind?: Kind | undefined;');
    expect(types).toContain('  Tags?: { [key: string]: string } | undefined;');
    expect(types).toContain('  When?: wire.Timestamp | undefined;');
  });

  it('types a streaming blob by its direction', () => {
    expect(types).toContain('Body?: wire.StreamingBlobInput');
    expect(types).toContain('Body?: wire.StreamingBlobOutput');
  });

  it('lists operations and error names', () => {
    expect(types).toContain('  PutThing: { input: PutThingRequest; output: PutThingResponse };');
    expect(types).toContain('  GetThing: { input: {}; output: {} };');
    expect(types).toMatch(/export type ThingsErrorName =\n {2}\| 'NoThing'\n {2}\| 'Unlisted';/);
  });
});

describe('typesIndexOf', () => {
  it('adds the operations of each service to the callable ones', () => {
    const index = typesIndexOf([
      { service: 'my-things', internal: false },
      { service: 'things', internal: true },
    ]);
    expect(index).toContain("import type { ThingsInternalOperations } from '../internal/things.ts';");
    expect(index).toContain("import type { ThingsOperations } from './things.ts';");
    expect(index).toContain("declare module '@emu/core/calls' {");
    expect(index).toContain(
      '    "my-things": MyThingsOperations;\n    things: ThingsOperations & ThingsInternalOperations;\n',
    );
  });
});

describe('selectOperations', () => {
  it('keeps the operations and their shapes', () => {
    const { operations, shapes } = selectOperations(model, ['GetThing']);
    expect({ operations: Object.keys(operations), shapes: Object.keys(shapes) }).toEqual({
      operations: ['GetThing'],
      shapes: [],
    });
    expect(Object.keys(selectOperations(model, ['PutThing']).shapes)).toContain('Tags');
  });

  it('rejects an unknown operation', () => {
    expect(() => selectOperations(model, ['LoseThing'])).toThrow('things has no operation LoseThing');
  });
});

describe('mergePatch', () => {
  it('merges objects, removes with null and replaces other values', () => {
    expect(mergePatch({ a: { b: 1, c: 2 }, list: [1, 2] }, { a: { b: null, d: 3 }, list: [9] })).toEqual({
      a: { c: 2, d: 3 },
      list: [9],
    });
  });

  it('does not change its arguments', () => {
    const target = { a: { b: 1 } };
    mergePatch(target, { a: { b: 2 } });
    expect(target).toEqual({ a: { b: 1 } });
  });
});
