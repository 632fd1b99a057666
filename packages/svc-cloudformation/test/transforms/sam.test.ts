import { describe, expect, test } from 'vitest';
import { InvalidSamTemplate, transformSam } from '../../src/transforms/sam/index.ts';
import differences from './sam-differences.json' with { type: 'json' };
import { hasVectors, type Vector, vectors } from './sam-vectors.ts';

const OPTIONS = {
  region: 'ap-southeast-1',
  partition: 'aws',
  managedPolicy(name: string) {
    if (/^AWSLambda(?:Role|BasicExecutionRole)$|^AmazonAPIGatewayPush/.test(name))
      return `arn:aws:iam::aws:policy/service-role/${name}`;
    return /^(?:Amazon|AWS|Cloud)\w+$/.test(name) ? `arn:aws:iam::aws:policy/${name}` : undefined;
  },
};

/** Digests of REST API definitions depend on Python's output format; like AWS's own tests, these tests omit them. */
const withoutDigests = (text: string): string =>
  text.replace(/Deployment[0-9a-f]{10}/g, 'Deployment').replace(/deployment id: [0-9a-f]{40}/, 'deployment id');

/** Sorts all lists in a value: the order of most has no meaning. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value === 'string') return withoutDigests(value);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [withoutDigests(key), ordered(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Outcome of a translation: the result or the problems. */
function translated(template: Record<string, unknown>): unknown {
  try {
    return JSON.parse(JSON.stringify(transformSam(template, OPTIONS)));
  } catch (error) {
    if (error instanceof InvalidSamTemplate) return { errorMessage: error.message };
    throw error;
  }
}

const wanted = ({ name, expected }: Vector): unknown =>
  name.startsWith('error_') ? { errorMessage: expected.errorMessage } : expected;

const isEqual = (vector: Vector, made: unknown): boolean =>
  JSON.stringify(ordered(made)) === JSON.stringify(ordered(wanted(vector)));

/** Number of AWS's vectors with equal results: templates and errors. */
const EQUAL = { templates: 515, problems: 283 };

describe('AWS::Serverless-2016-10-31', () => {
  test.skipIf(!hasVectors)("translates AWS's vectors except those named with a reason", () => {
    const equal = { templates: 0, problems: 0 };
    const others: string[] = [];
    for (const vector of vectors()) {
      if (!isEqual(vector, translated(vector.template))) others.push(vector.name);
      else equal[vector.name.startsWith('error_') ? 'problems' : 'templates']++;
    }
    expect(others.sort()).toEqual(Object.values(differences).flat().sort());
    expect(equal).toEqual(EQUAL);
  });

  const CodeUri = 's3://code/app.zip';
  const code = { CodeUri, Handler: 'index.handler', Runtime: 'nodejs20.x' };

  const functionOf = (Events: object) => ({
    F: { Type: 'AWS::Serverless::Function', Properties: { ...code, Events } },
  });
  const apiOf = (more: object) => ({ A: { Type: 'AWS::Serverless::Api', Properties: { StageName: 's', ...more } } });

  test('creates a function with its role and the resources of its events', () => {
    const Events = { Jobs: { Type: 'SQS', Properties: { Queue: 'arn:aws:sqs:us-east-1:123456789012:jobs' } } };
    const Worker = { Type: 'AWS::Serverless::Function', Properties: { ...code, Events, Policies: ['AWSLambdaRole'] } };
    const { Resources } = transformSam({ Transform: 'AWS::Serverless-2016-10-31', Resources: { Worker } }, OPTIONS);
    expect(Resources).toMatchObject({
      Worker: {
        Type: 'AWS::Lambda::Function',
        Properties: { Code: { S3Bucket: 'code', S3Key: 'app.zip' }, Role: { 'Fn::GetAtt': ['WorkerRole', 'Arn'] } },
      },
      WorkerJobs: { Type: 'AWS::Lambda::EventSourceMapping', Properties: { FunctionName: { Ref: 'Worker' } } },
      WorkerRole: {
        Properties: {
          ManagedPolicyArns: [
            'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole',
            'arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole',
            'arn:aws:iam::aws:policy/service-role/AWSLambdaRole',
          ],
        },
      },
    });
  });

  /** Architect adds attributes of its own to functions. */
  test('drops unknown attributes of resources, and reads null values of properties as absent', () => {
    const attributes = { ArcMetadata: { a: 1 }, Version: 3, DependsOn: 'T', Metadata: { a: 1 } };
    const nothing = { Description: null, Environment: null, Layers: null, Tags: null, VpcConfig: null };
    const Events = {
      Get: { Type: 'Api', Properties: { Path: '/', Method: 'get', RestApiId: null, RequestParameters: null } },
      Due: { Type: 'Schedule', Properties: { Schedule: 'rate(1 day)', Input: null, Enabled: null } },
    };
    const Definition = { StartAt: 'P', States: { P: { Type: 'Pass', ResultPath: null, End: true } } };
    const { Resources } = transformSam(
      {
        Resources: {
          F: { Type: 'AWS::Serverless::Function', ...attributes, Properties: { ...code, ...nothing, Events } },
          M: { Type: 'AWS::Serverless::StateMachine', Properties: { Definition, Logging: null, Role: null } },
          T: { Type: 'AWS::Serverless::SimpleTable', Properties: { PrimaryKey: null, TableName: null } },
        },
      },
      OPTIONS,
    );
    const { F, M } = Resources as Record<string, { Properties: Record<string, unknown> }>;
    expect(Object.keys(F!).sort()).toEqual(['DependsOn', 'Metadata', 'Properties', 'Type']);
    expect(JSON.stringify(Resources)).not.toContain(':null');
    const { DefinitionString } = M!.Properties as { DefinitionString: { 'Fn::Join': [string, string[]] } };
    expect(JSON.parse(DefinitionString['Fn::Join'][1].join(''))).toEqual(Definition);
    expect(Object.keys(Resources as object)).toContain('FDue');
  });

  test('publishes another version with a layer of the template, if all properties count', () => {
    const published = (more: object, Description: string) => {
      const layer = { ContentUri: CodeUri, Description, PublishLambdaVersion: true };
      const Layers = [{ Ref: 'L' }];
      const F = { ...code, AutoPublishAlias: 'live', AutoPublishAliasAllProperties: true, Layers, ...more };
      const { Resources } = transformSam(
        {
          Resources: {
            F: { Type: 'AWS::Serverless::Function', Properties: F },
            L: { Type: 'AWS::Serverless::LayerVersion', Properties: layer },
          },
        },
        OPTIONS,
      );
      return Object.keys(Resources as object).find((id) => id.startsWith('FVersion'));
    };
    const first = published({}, 'one');
    expect(published({}, 'one')).toBe(first);
    const others = [published({}, 'two'), published({ Role: 'arn:aws:iam::123456789012:role/r' }, 'one')];
    expect(new Set([first, ...others]).size).toBe(3);
  });

  test('leaves a definition under Fn::If unchanged, and overwrites existing tags', () => {
    const bodyOf = (DefinitionBody: object) => {
      const Tags = 'Fn::If' in DefinitionBody ? undefined : { Team: 'b' };
      const { Resources } = transformSam(
        {
          Resources: { A: { Type: 'AWS::Serverless::HttpApi', Properties: { DefinitionBody, ...(Tags && { Tags }) } } },
        },
        OPTIONS,
      );
      const { A, AApiGatewayDefaultStage: stage } = Resources as Record<
        string,
        { Properties: Record<string, unknown> }
      >;
      return { body: A!.Properties.Body, tags: stage!.Properties.Tags };
    };
    const definition = { openapi: '3.0.1', paths: {}, tags: [{ name: 'Team', description: 'whose' }] };
    const either = { 'Fn::If': ['C', definition, definition] };
    expect(bodyOf(either)).toEqual({ body: either, tags: undefined });
    expect(bodyOf(definition)).toMatchObject({
      body: {
        tags: [
          { name: 'Team', description: 'whose', 'x-amazon-apigateway-tag-value': 'b' },
          { name: 'httpapi:createdBy', 'x-amazon-apigateway-tag-value': 'SAM' },
        ],
      },
      tags: { Team: 'b', 'httpapi:createdBy': 'SAM' },
    });
  });

  test('adds HTTP API event routes to a definition, under the condition of their function', () => {
    const { Resources } = transformSam(
      {
        Conditions: { C: {} },
        Resources: {
          F: {
            Condition: 'C',
            Type: 'AWS::Serverless::Function',
            Properties: {
              ...code,
              Events: { E: { Type: 'HttpApi', Properties: { ApiId: { Ref: 'A' }, Path: '/p', Method: 'get' } } },
            },
          },
          A: {
            Type: 'AWS::Serverless::HttpApi',
            Properties: { DefinitionBody: { openapi: '3.0.1', paths: { '/p': { post: { responses: {} } } } } },
          },
        },
      },
      OPTIONS,
    );
    const { Body } = (Resources as Record<string, { Properties: Record<string, unknown> }>).A!.Properties;
    expect(Body).toMatchObject({
      paths: {
        '/p': {
          post: { responses: {} },
          get: { 'Fn::If': ['C', { responses: {} }, { Ref: 'AWS::NoValue' }] },
        },
      },
    });
  });

  test('makes the implicit API and its paths conditional on their functions', () => {
    const on = (Condition: string, Path: string, Type = 'Api') => ({
      Type: 'AWS::Serverless::Function',
      Condition,
      Properties: { ...code, Events: { Get: { Type, Properties: { Path, Method: 'get' } } } },
    });
    const Conditions = { A: { 'Fn::Equals': ['a', 'a'] }, B: { 'Fn::Equals': ['b', 'a'] } };
    const none = { Ref: 'AWS::NoValue' };
    for (const [type, id] of [
      ['Api', 'ServerlessRestApi'],
      ['HttpApi', 'ServerlessHttpApi'],
    ] as const) {
      const functions = { One: on('A', '/one', type), Other: on('B', '/other', type) };
      const made = transformSam({ Transform: 'AWS::Serverless-2016-10-31', Conditions, Resources: functions }, OPTIONS);
      expect(made.Conditions).toMatchObject({
        [`${id}Condition`]: { 'Fn::Or': [{ Condition: 'A' }, { Condition: 'B' }] },
      });
      const api = (made.Resources as Record<string, { Condition: string; Properties: { Body: { paths: unknown } } }>)[
        id
      ]!;
      expect(api.Condition).toBe(`${id}Condition`);
      expect(api.Properties.Body.paths).toMatchObject({
        '/one': { 'Fn::If': ['A', { get: { 'Fn::If': ['A', { responses: {} }, none] } }, none] },
        '/other': { 'Fn::If': ['B', { get: { 'Fn::If': ['B', { responses: {} }, none] } }, none] },
      });
    }
  });

  test('starts a state machine by the route of its event', () => {
    const Machine = {
      Type: 'AWS::Serverless::StateMachine',
      Properties: {
        Definition: { StartAt: 'End', States: { End: { Type: 'Succeed' } } },
        Events: { Start: { Type: 'Api', Properties: { Path: '/start', Method: 'post' } } },
      },
    };
    const { Resources } = transformSam({ Transform: 'AWS::Serverless-2016-10-31', Resources: { Machine } }, OPTIONS);
    const integration = { type: 'aws', credentials: { 'Fn::GetAtt': ['MachineStartRole', 'Arn'] } };
    expect(Resources).toMatchObject({
      ServerlessRestApi: {
        Properties: { Body: { paths: { '/start': { post: { 'x-amazon-apigateway-integration': integration } } } } },
      },
      MachineStartRole: { Properties: { Policies: [{ PolicyName: 'MachineStartRoleStartExecutionPolicy' }] } },
    });
    expect(Resources).not.toHaveProperty('MachineStartPermissionProd');
  });

  test('reports wrong types in any part of a template, and never fails otherwise', () => {
    const whole = {
      Transform: 'AWS::Serverless-2016-10-31',
      Globals: { Function: { Timeout: 3, Environment: { Variables: { A: 'b' } } }, Api: { Cors: "'*'" } },
      Parameters: { P: { Type: 'String', Default: 'p' } },
      Conditions: { C: { 'Fn::Equals': ['a', 'b'] } },
      Resources: {
        Worker: {
          Type: 'AWS::Serverless::Function',
          Condition: 'C',
          Properties: {
            ...code,
            AutoPublishAlias: 'live',
            DeploymentPreference: { Type: 'AllAtOnce', Alarms: [{ Ref: 'A' }] },
            EventInvokeConfig: { DestinationConfig: { OnSuccess: { Type: 'SQS' } } },
            FunctionUrlConfig: { AuthType: 'NONE', Cors: { AllowOrigins: ['*'] } },
            Policies: [{ SQSPollerPolicy: { QueueName: 'q' } }, { Statement: [{ Effect: 'Allow' }] }, 'AWSLambdaRole'],
            Tags: { a: 'b' },
            Events: {
              Get: { Type: 'Api', Properties: { Path: '/a', Method: 'get', Auth: { Authorizer: 'NONE' } } },
              Http: { Type: 'HttpApi', Properties: { Path: '/a', Method: 'get', ApiId: { Ref: 'Http' } } },
              Jobs: { Type: 'SQS', Properties: { Queue: { 'Fn::GetAtt': ['Q', 'Arn'] }, BatchSize: 5 } },
              Rule: { Type: 'EventBridgeRule', Properties: { Pattern: { source: ['a'] }, Target: { Id: 't' } } },
              Told: { Type: 'SNS', Properties: { Topic: 't', SqsSubscription: { BatchSize: 1 } } },
              Stored: { Type: 'S3', Properties: { Bucket: { Ref: 'Bucket' }, Events: ['s3:ObjectCreated:*'] } },
              Later: { Type: 'ScheduleV2', Properties: { ScheduleExpression: 'rate(1 day)' } },
            },
          },
        },
        Bucket: { Type: 'AWS::S3::Bucket', Properties: { NotificationConfiguration: {} } },
        Http: {
          Type: 'AWS::Serverless::HttpApi',
          Properties: {
            Auth: { Authorizers: { J: { IdentitySource: '$request.header.a', JwtConfiguration: { issuer: 'i' } } } },
            CorsConfiguration: { AllowOrigins: ['*'] },
            StageName: 's',
          },
        },
        Machine: {
          Type: 'AWS::Serverless::StateMachine',
          Properties: {
            Definition: { StartAt: 'End', States: { End: { Type: 'Succeed' } } },
            Events: { Start: { Type: 'Api', Properties: { Path: '/start', Method: 'post' } } },
          },
        },
        Things: { Type: 'AWS::Serverless::SimpleTable', Properties: { PrimaryKey: { Name: 'id', Type: 'String' } } },
        Layer: {
          Type: 'AWS::Serverless::LayerVersion',
          Properties: { ContentUri: 's3://b/k', RetentionPolicy: 'Retain' },
        },
      },
    };
    const paths: string[][] = [];
    const walk = (value: unknown, path: string[]) => {
      if (path.length) paths.push(path);
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inner] of Object.entries(value)) walk(inner, [...path, name]);
    };
    walk(whole, []);
    let refused = 0;
    for (const path of paths)
      for (const other of ['text', null, ['text', null], {}, { Ref: 5 }]) {
        const changed = structuredClone(whole) as Record<string, unknown>;
        let at = changed as Record<string, never>;
        for (const name of path.slice(0, -1)) at = at[name]!;
        (at as Record<string, unknown>)[path.at(-1)!] = other;
        try {
          transformSam(changed, OPTIONS);
        } catch (error) {
          if (!(error instanceof InvalidSamTemplate))
            throw new Error(`${path.join('.')} = ${JSON.stringify(other)}`, { cause: error });
          expect(error.message).toMatch(/^Invalid Serverless Application Specification document\. Number of errors/);
          refused++;
        }
      }
    expect(refused).toBeGreaterThan(100);
  });

  test('reports an unreadable section alone', () => {
    const Resources = { 'my-t': { Type: 'AWS::Serverless::SimpleTable' } };
    expect(translated({ Mappings: null, Resources })).toEqual({
      errorMessage:
        "Invalid Serverless Application Specification document. Number of errors found: 1. Structure of the SAM template is invalid. 'Mappings' or 'Parameters' is either null or not a valid dictionary.",
    });
  });

  test('propagates tags to the bucket of an event, and lets an implicit API replace a resource with its id', () => {
    const Events = {
      Stored: { Type: 'S3', Properties: { Bucket: { Ref: 'B' }, Events: 's3:ObjectCreated:*' } },
      Get: { Type: 'Api', Properties: { Path: '/{all+}', Method: 'get' } },
    };
    const F = {
      Type: 'AWS::Serverless::Function',
      Properties: { ...code, Events, PropagateTags: true, Tags: { a: 'b' } },
    };
    const B = { Type: 'AWS::S3::Bucket' };
    const ServerlessRestApi = { Type: 'AWS::Serverless::Function', Properties: code };
    const { Resources } = transformSam({ Resources: { F, B, ServerlessRestApi } }, OPTIONS);
    expect(Resources).toMatchObject({
      B: { Properties: { Tags: [{ Key: 'a', Value: 'b' }] } },
      ServerlessRestApi: { Type: 'AWS::ApiGateway::RestApi' },
    });
    expect(Resources).not.toHaveProperty('ServerlessRestApiRole');
  });

  test('leaves the input template and other resources unchanged', () => {
    const template = {
      Resources: { Table: { Type: 'AWS::Serverless::SimpleTable' }, Topic: { Type: 'AWS::SNS::Topic' } },
    };
    const before = structuredClone(template);
    const { Resources } = transformSam(template, OPTIONS);
    expect(template).toEqual(before);
    expect(Resources).toMatchObject({ Table: { Type: 'AWS::DynamoDB::Table' }, Topic: { Type: 'AWS::SNS::Topic' } });
  });

  test.each([
    [
      'Resource with id [F] is invalid. Runtime and Handler needs to be present when PackageType is of type `Zip`',
      { F: { Type: 'AWS::Serverless::Function', Properties: { CodeUri } } },
    ],
    [
      'Resource with id [A] is invalid. The resource type AWS::Serverless::GraphQLApi is not supported by emu.',
      { A: { Type: 'AWS::Serverless::GraphQLApi' } },
    ],
    [
      "Resource with id [A] is invalid. Property 'Domain.DomainName' is required.",
      { A: { Type: 'AWS::Serverless::Api', Properties: { StageName: 'Prod', Domain: {} } } },
    ],
    [
      "Resource with id [T] is invalid. Attribute 'T.Connectors' should be a map.",
      { T: { Type: 'AWS::SNS::Topic', Connectors: 'c' } },
    ],
    [
      'Resource with id [T] is invalid. property Name not defined for resource of type AWS::Serverless::SimpleTable',
      { T: { Type: 'AWS::Serverless::SimpleTable', Properties: { Name: 't' } } },
    ],
    [
      'Resource with id [my-t] is invalid. Logical ids must be alphanumeric.',
      { 'my-t': { Type: 'AWS::Serverless::SimpleTable' } },
    ],
    [
      'Transforming resource with id [F] attempts to create a new resource with id [FRole] and type "AWS::IAM::Role". A resource with that id already exists within this template. Please use a different id for that resource.',
      { F: { Type: 'AWS::Serverless::Function', Properties: code }, FRole: { Type: 'AWS::IAM::Role' } },
    ],
    [
      'Resource with id [FTold] is invalid. property FilterCriteria not defined for resource of type SNS',
      functionOf({ Told: { Type: 'SNS', Properties: { Topic: 't', FilterCriteria: {} } } }),
    ],
    [
      'Resource with id [F] is invalid. Event with id [Get] is invalid. Resource dict has missing or invalid value for key Type. Event Type is: API.',
      functionOf({ Get: { Type: 'API' } }),
    ],
    [
      "Resource with id [F] is invalid. Event with id [Get] is invalid. RestApiId must be a valid reference to an 'AWS::Serverless::Api' resource in same template.",
      functionOf({ Get: { Type: 'Api', Properties: { Path: '/', Method: 'get', RestApiId: { Ref: 'None' } } } }),
    ],
    [
      "Resource with id [F] is invalid. Event with id [Get] is invalid. Property 'Method' is required.",
      functionOf({ Get: { Type: 'Api', Properties: { Path: '/' } } }),
    ],
    [
      'Resource with id [F] is invalid. Event with id [Get] is invalid. Unable to set Authorizer [Mine] on API method [get] for path [/] because the related API does not define any Authorizers.',
      functionOf({ Get: { Type: 'Api', Properties: { Path: '/', Method: 'get', Auth: { Authorizer: 'Mine' } } } }),
    ],
    [
      'Resource with id [F] is invalid. Event with id [Jobs] is invalid. VPC_SUBNET and VPC_SECURITY_GROUP in SourceAccessConfigurations for SelfManagedKafka must be both provided.',
      functionOf({
        Jobs: {
          Type: 'SelfManagedKafka',
          Properties: {
            KafkaBootstrapServers: ['b'],
            Topics: ['t'],
            SourceAccessConfigurations: [{ Type: 'VPC_SUBNET', URI: 'subnet:s' }],
          },
        },
      }),
    ],
    [
      "Structure of the SAM template is invalid. Value of '/a' path must be a dictionary according to Swagger spec.",
      apiOf({ Cors: "'*'", DefinitionBody: { swagger: 2, paths: { '/a': null } } }),
    ],
    [
      'Structure of the SAM template is invalid. securityDefinitions must be a dictionary.',
      apiOf({ Auth: { ApiKeyRequired: true }, DefinitionBody: { swagger: 2, paths: {}, securityDefinitions: [1] } }),
    ],
    [
      'Resource with id [A] is invalid. L Authorizer must specify Identity with at least one of Headers, QueryStrings, StageVariables, or Context.',
      apiOf({ Auth: { Authorizers: { L: { FunctionArn: 'f', FunctionPayloadType: 'REQUEST' } } } }),
    ],
    [
      "Resource with id [A] is invalid. Cors works only with inline Swagger specified in 'DefinitionBody' property.",
      apiOf({ Cors: "'*'", DefinitionUri: 's3://b/k' }),
    ],
    [
      "Resource with id [N] is invalid. Property 'SemanticVersion' cannot be blank.",
      {
        N: {
          Type: 'AWS::Serverless::Application',
          Properties: { Location: { ApplicationId: 'a', SemanticVersion: '' } },
        },
      },
    ],
  ])('reports problems: %s', (problem, Resources) => {
    expect(translated({ Resources })).toEqual({
      errorMessage: `Invalid Serverless Application Specification document. Number of errors found: 1. ${problem}`,
    });
  });
});
