import type { Protocol, ServiceModel } from '../../src/index.ts';

const structure = (
  members: ServiceModel['shapes'][string]['members'],
  more: Partial<ServiceModel['shapes'][string]> = {},
) => ({
  type: 'structure' as const,
  members: members!,
  ...more,
});

/** Returns a small service in any protocol: a shape of every kind and a few constraints. */
export function smallModel(protocols: Protocol[], change: (model: ServiceModel) => void = () => {}): ServiceModel {
  const model: ServiceModel = {
    service: 'zoo',
    source: { botocore: 'none', path: 'none' },
    metadata: {
      apiVersion: '2024-01-01',
      endpointPrefix: 'zoo',
      signingName: 'zoo',
      serviceId: 'Zoo',
      protocols,
      targetPrefix: 'Zoo_20240101',
      xmlNamespace: { uri: 'http://zoo.amazonaws.com/doc/2024-01-01/' },
    },
    operations: {
      PutAnimal: {
        http: { method: 'POST', uri: '/' },
        input: { shape: 'PutAnimalInput' },
        output: { shape: 'PutAnimalOutput', resultWrapper: 'PutAnimalResult' },
        errors: ['AnimalEscaped', 'ZooOnFire'],
      },
      Ping: { http: { method: 'POST', uri: '/' } },
    },
    shapes: {
      String: { type: 'string' },
      Name: { type: 'string', min: 1, max: 8, pattern: '[a-z]+' },
      Secret: { type: 'string', max: 4, sensitive: true },
      Kind: { type: 'string', enum: ['CAT', 'DOG'] },
      Integer: { type: 'integer', min: 0, max: 10 },
      Count: { type: 'integer' },
      Long: { type: 'long' },
      Weight: { type: 'double', min: 0, max: 1 },
      Double: { type: 'double' },
      Boolean: { type: 'boolean' },
      Blob: { type: 'blob', max: 4 },
      Timestamp: { type: 'timestamp' },
      Document: structure({}, { document: true }),
      Names: { type: 'list', member: { shape: 'Name' }, max: 3 },
      Sparse: { type: 'list', member: { shape: 'String' }, sparse: true },
      Tags: { type: 'map', key: { shape: 'Name' }, value: { shape: 'Weight' } },
      Animal: structure({ Name: { shape: 'Name' }, Young: { shape: 'Animals' } }, { required: ['Name'] }),
      Animals: { type: 'list', member: { shape: 'Animal' } },
      ById: { type: 'map', key: { shape: 'String' }, value: { shape: 'Animal' } },
      Food: structure({ Meat: { shape: 'String' }, Hay: { shape: 'String' } }, { union: true }),
      PutAnimalInput: structure(
        {
          Name: { shape: 'Name' },
          Kind: { shape: 'Kind' },
          Age: { shape: 'Integer' },
          Count: { shape: 'Count' },
          Long: { shape: 'Long' },
          Double: { shape: 'Double' },
          Tame: { shape: 'Boolean' },
          Photo: { shape: 'Blob' },
          Born: { shape: 'Timestamp' },
          Notes: { shape: 'Document' },
          Names: { shape: 'Names' },
          Sparse: { shape: 'Sparse' },
          Tags: { shape: 'Tags' },
          Young: { shape: 'Animals' },
          ById: { shape: 'ById' },
          Food: { shape: 'Food' },
          Password: { shape: 'Secret' },
          Token: { shape: 'String', idempotencyToken: true },
        },
        { required: ['Name'] },
      ),
      PutAnimalOutput: structure({
        Name: { shape: 'String' },
        Double: { shape: 'Double' },
        Photo: { shape: 'Blob' },
        Born: { shape: 'Timestamp' },
        Names: { shape: 'Names' },
        Tags: { shape: 'Tags' },
        Notes: { shape: 'Document' },
      }),
      AnimalEscaped: structure(
        { message: { shape: 'String' }, Name: { shape: 'String' } },
        { exception: true, error: { code: 'Zoo.AnimalEscaped', httpStatusCode: 409, senderFault: true } },
      ),
      ZooOnFire: structure({ Message: { shape: 'String' } }, { exception: true, fault: true }),
    },
  };
  change(model);
  return model;
}
