import { beforeAll, expect, test } from 'vitest';
import { cloudFormationModel, findServiceSpec, type InstalledSpec, resourceTypeNames } from '../src/cloudformation.ts';

interface Model {
  source: Record<string, string>;
  types: Record<string, Record<string, unknown>>;
}

let spec: InstalledSpec;
const modelOf = (names: string[], elsewhere: string[] = [], overlay = {}): Model =>
  JSON.parse(cloudFormationModel(spec, names, new Set(elsewhere), overlay)) as Model;

beforeAll(() => {
  spec = findServiceSpec()!;
});

test('types have identifiers, tags, attributes and replacing properties', () => {
  const { source, types } = modelOf(['AWS::SQS::Queue']);
  expect(source).toEqual({ '@aws-cdk/aws-service-spec': spec.version });
  expect(types['AWS::SQS::Queue']).toMatchObject({
    primaryIdentifier: ['QueueUrl'],
    tags: { property: 'Tags', form: 'list' },
    attributes: { Arn: 'string' },
    properties: {
      QueueName: { type: 'string', replacement: 'yes' },
      RedrivePolicy: { type: 'json' },
      Tags: { type: { list: 'tag' } },
    },
  });
});

test('definitions are kept by name, including recursive ones', () => {
  const { types } = modelOf(['AWS::S3::StorageLensGroup']);
  expect(types['AWS::S3::StorageLensGroup']).toMatchObject({
    properties: { Filter: { type: { ref: 'Filter' }, required: true } },
    definitions: { Filter: { And: { type: { ref: 'And' } } }, And: { MatchAnyPrefix: { type: { list: 'string' } } } },
  });
});

test('a namespace includes every type except those of another package', () => {
  const { types } = modelOf(['AWS::SQS'], ['AWS::SQS::QueuePolicy']);
  expect(Object.keys(types)).toEqual(['AWS::SQS::Queue', 'AWS::SQS::QueueInlinePolicy']);
});

test('the names of all types are listed by namespace, except those of SAM', () => {
  const { source, types } = JSON.parse(resourceTypeNames(spec)) as { source: object; types: Record<string, string[]> };
  expect(source).toEqual({ '@aws-cdk/aws-service-spec': spec.version });
  expect(types['AWS::SQS']).toEqual(['Queue', 'QueueInlinePolicy', 'QueuePolicy']);
  expect(types['AWS::EC2']).toContain('Instance');
  expect(Object.keys(types)).not.toContain('AWS::Serverless');
});

test('an unknown name is an error', () => {
  expect(() => modelOf(['AWS::SQS::Nothing'])).toThrow('no resource type of AWS::SQS::Nothing');
});

test('an overlay adds to the specification, for types of the package only', () => {
  const patch = { 'AWS::IAM::User': { name: { property: 'UserName', max: 64 }, attributes: { More: 'json' } } };
  expect(modelOf(['AWS::IAM'], [], patch).types['AWS::IAM::User']).toMatchObject({
    attributes: { Arn: 'string', More: 'json' },
    name: { property: 'UserName', max: 64 },
  });
  expect(() => modelOf(['AWS::SQS'], [], patch)).toThrow('which the package does not name');
});
