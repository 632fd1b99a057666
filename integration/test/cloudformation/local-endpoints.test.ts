import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as cognito } from '@emu/svc-cognito-idp/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const MANIFESTS = [apigateway, apigatewayv2, cloudformation, cognito, iam, lambda, s3, sns, ssm, sts];
const EMU = 'http://localhost:4566';
const BELOW = 'us-east-1.localhost:4566';

let emulator: TestEmulator;
let cfn: CloudFormation;
let functions: Lambda;
let parameters: SSM;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: MANIFESTS });
  cfn = new CloudFormation(emulator.clientConfig());
  functions = new Lambda(emulator.clientConfig());
  parameters = new SSM(emulator.clientConfig());
});
afterAll(() => emulator.close());

/** Creates or updates a stack and returns its outputs. */
async function deploy(StackName: string, template: object, Parameters: Record<string, string> = {}, client = cfn) {
  const input = {
    StackName,
    TemplateBody: JSON.stringify(template),
    Capabilities: ['CAPABILITY_IAM' as const, 'CAPABILITY_AUTO_EXPAND' as const],
    Parameters: Object.entries(Parameters).map(([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue })),
  };
  const exists = await client.describeStacks({ StackName }).catch(() => undefined);
  await (exists ? client.updateStack(input) : client.createStack(input));
  const status = async () => (await client.describeStacks({ StackName })).Stacks![0]!.StackStatus;
  await expect.poll(status, { timeout: 20_000 }).not.toMatch(/_IN_PROGRESS$/);
  const { StackEvents } = await client.describeStackEvents({ StackName });
  const problems = StackEvents!.filter(({ ResourceStatus }) => ResourceStatus!.endsWith('_FAILED'));
  expect(problems.map((event) => `${event.LogicalResourceId}: ${event.ResourceStatusReason}`)).toEqual([]);
  const { Stacks } = await client.describeStacks({ StackName });
  return Object.fromEntries(Stacks![0]!.Outputs!.map((one) => [one.OutputKey, one.OutputValue!]));
}

/** Sends a GET to a URL as a client that resolves its host to emu. */
async function get(url: string): Promise<string> {
  const { protocol, host, pathname, search } = new URL(url);
  expect(protocol).toBe('http:');
  return (await sendRaw(emulator, { method: 'GET', target: pathname + search, headers: { host } })).text;
}

const CODE = { Handler: 'index.handler', Runtime: 'nodejs22.x' };
const APPLICATION = {
  Transform: 'AWS::Serverless-2016-10-31',
  Parameters: {
    ApiId: { Type: 'String', Default: 'aaaaaaaaaa' },
    Url: { Type: 'String', Default: 'none' },
  },
  Conditions: {
    Known: { 'Fn::Equals': [{ 'Fn::Sub': `https://\${ApiId}.execute-api.us-east-1.amazonaws.com` }, { Ref: 'Url' }] },
  },
  Resources: {
    Hello: {
      Type: 'AWS::Serverless::Function',
      Properties: {
        ...CODE,
        InlineCode: 'exports.handler = async () => "hello";',
        FunctionUrlConfig: { AuthType: 'NONE' },
        Events: { Http: { Type: 'HttpApi', Properties: { Path: '/hello', Method: 'get' } } },
      },
    },
    Rest: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'rest' } },
    Method: {
      Type: 'AWS::ApiGateway::Method',
      Properties: {
        RestApiId: { Ref: 'Rest' },
        ResourceId: { 'Fn::GetAtt': ['Rest', 'RootResourceId'] },
        HttpMethod: 'GET',
        AuthorizationType: 'NONE',
        Integration: {
          Type: 'MOCK',
          RequestTemplates: { 'application/json': '{"statusCode": 200}' },
          IntegrationResponses: [{ StatusCode: '200', ResponseTemplates: { 'application/json': 'rest' } }],
        },
        MethodResponses: [{ StatusCode: '200' }],
      },
    },
    Deployment: {
      Type: 'AWS::ApiGateway::Deployment',
      DependsOn: 'Method',
      Properties: { RestApiId: { Ref: 'Rest' }, StageName: 'prod' },
    },
    Chat: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name: 'chat', ProtocolType: 'WEBSOCKET', RouteSelectionExpression: '$request.body.action' },
    },
    Users: { Type: 'AWS::Cognito::UserPool' },
    Domain: {
      Type: 'AWS::Cognito::UserPoolDomain',
      Properties: { Domain: 'shop', UserPoolId: { Ref: 'Users' } },
    },
    Client: {
      Type: 'AWS::Serverless::Function',
      Properties: {
        ...CODE,
        InlineCode: 'exports.handler = async () => process.env;',
        Environment: {
          Variables: {
            API: { 'Fn::Sub': `https://\${Rest}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/prod` },
            ORIGIN: { 'Fn::Sub': `https://\${Rest}.execute-api.\${AWS::Region}.amazonaws.com` },
            HOSTS: {
              'Fn::Join': [',', [{ 'Fn::Sub': `\${Rest}.execute-api.\${AWS::Region}.amazonaws.com` }, 'other']],
            },
          },
        },
      },
    },
    Kept: {
      Type: 'AWS::SSM::Parameter',
      Properties: {
        Type: 'StringList',
        Value: {
          'Fn::Join': [
            ',',
            [
              { 'Fn::Sub': `https://unknown.execute-api.\${AWS::Region}.amazonaws.com` },
              { 'Fn::Sub': `https://\${Rest}.execute-api.eu-west-1.amazonaws.com` },
              { 'Fn::Sub': `https://\${Rest}.execute-api.\${AWS::Region}.amazonaws.com.example` },
              { 'Fn::Sub': `https://no-\${Domain}.auth.\${AWS::Region}.amazoncognito.com` },
            ],
          ],
        },
      },
    },
    Topic: {
      Type: 'AWS::SNS::Topic',
      Properties: {
        Subscription: [
          {
            Protocol: 'https',
            Endpoint: { 'Fn::Sub': `https://\${Rest}.execute-api.\${AWS::Region}.amazonaws.com/prod` },
          },
        ],
      },
    },
    Arn: {
      Type: 'AWS::SSM::Parameter',
      Properties: {
        Type: 'String',
        Value: { 'Fn::Sub': `arn:aws:x:::\${Rest}.execute-api.\${AWS::Region}.amazonaws.com/prod` },
      },
    },
    Given: { Type: 'AWS::SSM::Parameter', Properties: { Type: 'String', Value: { Ref: 'Url' } } },
  },
  Outputs: {
    RestId: { Value: { Ref: 'Rest' } },
    Users: { Value: { Ref: 'Users' } },
    // As CDK writes the URL of a stage, and its host name.
    Rest: {
      Value: {
        'Fn::Join': [
          '',
          [
            'https://',
            { Ref: 'Rest' },
            '.execute-api.',
            { Ref: 'AWS::Region' },
            '.',
            { Ref: 'AWS::URLSuffix' },
            '/prod/',
          ],
        ],
      },
      Export: { Name: 'rest-url' },
    },
    RestHost: {
      Value: {
        'Fn::Select': [
          2,
          {
            'Fn::Split': ['/', { 'Fn::Sub': `https://\${Rest}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/prod/` }],
          },
        ],
      },
    },
    RestId2: {
      Value: {
        'Fn::Select': [0, { 'Fn::Split': ['.', { 'Fn::Sub': `\${Rest}.execute-api.\${AWS::Region}.amazonaws.com` }] }],
      },
    },
    Http: { Value: { 'Fn::GetAtt': ['ServerlessHttpApi', 'ApiEndpoint'] } },
    HttpSub: { Value: { 'Fn::Sub': `https://\${ServerlessHttpApi}.execute-api.\${AWS::Region}.amazonaws.com/hello` } },
    Chat: { Value: { 'Fn::Sub': `wss://\${Chat}.execute-api.\${AWS::Region}.amazonaws.com/dev` } },
    SignIn: { Value: { 'Fn::Sub': `https://\${Domain}.auth.\${AWS::Region}.amazoncognito.com/login` } },
    FunctionUrl: { Value: { 'Fn::GetAtt': ['HelloUrl', 'FunctionUrl'] } },
    // A host from the URL, with a scheme of the template.
    FunctionHost: {
      Value: {
        'Fn::Join': [
          '',
          ['https://', { 'Fn::Select': [2, { 'Fn::Split': ['/', { 'Fn::GetAtt': ['HelloUrl', 'FunctionUrl'] }] }] }],
        ],
      },
    },
    Known: { Value: { 'Fn::If': ['Known', 'yes', 'no'] } },
  },
};

const storedIn = async (StackName: string, LogicalResourceId: string): Promise<string> => {
  const { StackResourceDetail } = await cfn.describeStackResource({ StackName, LogicalResourceId });
  return (await parameters.getParameter({ Name: StackResourceDetail!.PhysicalResourceId! })).Parameter!.Value!;
};

test('outputs and properties of a stack lead to the resources of emu', async () => {
  const outputs = await deploy('application', APPLICATION);
  const { RestId } = outputs;
  expect(outputs).toMatchObject({
    Rest: `${EMU}/_aws/execute-api/${RestId}/prod/`,
    RestHost: `${RestId}.execute-api.${BELOW}`,
    RestId2: RestId,
    Http: expect.stringMatching(/^http:\/\/localhost:4566\/_aws\/execute-api\/[a-z0-9]{10}$/),
    Chat: expect.stringMatching(/^ws:\/\/localhost:4566\/_aws\/execute-api\/[a-z0-9]{10}\/dev$/),
    SignIn: `${EMU}/${outputs.Users}/login`,
    FunctionUrl: expect.stringMatching(/^http:\/\/localhost:4566\/_aws\/lambda-url\/[a-z0-9]{32}\/$/),
    Known: 'no',
  });
  expect(outputs.HttpSub).toBe(`${outputs.Http}/hello`);
  expect(`${outputs.FunctionHost}/`).toBe(outputs.FunctionUrl);
  expect(await get(outputs.Rest!)).toBe('rest');
  expect(await get(outputs.HttpSub!)).toBe('hello');
  expect(await get(outputs.FunctionUrl!)).toBe('hello');
  expect(await get(outputs.SignIn!)).not.toBe('');

  const { StackResourceDetail } = await cfn.describeStackResource({
    StackName: 'application',
    LogicalResourceId: 'Client',
  });
  const { Environment } = await functions.getFunctionConfiguration({
    FunctionName: StackResourceDetail!.PhysicalResourceId!,
  });
  expect(Environment!.Variables).toEqual({
    API: `${EMU}/_aws/execute-api/${RestId}/prod`,
    HOSTS: `${RestId}.execute-api.${BELOW},other`,
    ORIGIN: EMU,
  });
});

test('names of other APIs, ARNs, conditions and parameters stay', async () => {
  const { RestId } = await deploy('application', APPLICATION, { Url: 'other' });
  expect((await storedIn('application', 'Kept')).split(',')).toEqual([
    'https://unknown.execute-api.us-east-1.amazonaws.com',
    `https://${RestId}.execute-api.eu-west-1.amazonaws.com`,
    `https://${RestId}.execute-api.us-east-1.amazonaws.com.example`,
    'https://no-shop.auth.us-east-1.amazoncognito.com',
  ]);
  expect(await storedIn('application', 'Arn')).toBe(`arn:aws:x:::${RestId}.execute-api.us-east-1.amazonaws.com/prod`);
  const Url = `https://${RestId}.execute-api.us-east-1.amazonaws.com`;
  expect(await deploy('application', APPLICATION, { ApiId: RestId!, Url })).toMatchObject({
    Known: 'yes',
  });
  expect(await storedIn('application', 'Given')).toBe(Url);
});

test('an unchanged stack has no changes', async () => {
  const { StackId } = await cfn.createChangeSet({
    StackName: 'application',
    ChangeSetName: 'same',
    TemplateBody: JSON.stringify(APPLICATION),
    Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_AUTO_EXPAND'],
    Parameters: ['ApiId', 'Url'].map((ParameterKey) => ({ ParameterKey, UsePreviousValue: true })),
  });
  const change = { StackName: StackId!, ChangeSetName: 'same' };
  await expect.poll(async () => (await cfn.describeChangeSet(change)).Status).toBe('FAILED');
  expect((await cfn.describeChangeSet(change)).StatusReason).toContain("didn't contain changes");
});

test('imports and nested stacks have the local addresses', async () => {
  const child = {
    Parameters: { Url: { Type: 'String' } },
    Resources: {
      Stored: {
        Type: 'AWS::SSM::Parameter',
        Properties: { Type: 'String', Name: '/child/url', Value: { Ref: 'Url' } },
      },
      Nested: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'nested', ProtocolType: 'HTTP' } },
    },
    Outputs: { Endpoint: { Value: { 'Fn::GetAtt': ['Nested', 'ApiEndpoint'] } } },
  };
  const buckets = new S3({ ...emulator.clientConfig(), forcePathStyle: true });
  await buckets.createBucket({ Bucket: 'templates' });
  await buckets.putObject({ Bucket: 'templates', Key: 'child.json', Body: JSON.stringify(child) });
  const outputs = await deploy('parent', {
    Resources: {
      Child: {
        Type: 'AWS::CloudFormation::Stack',
        Properties: {
          TemplateURL: 'https://templates.s3.us-east-1.amazonaws.com/child.json',
          Parameters: { Url: { 'Fn::Sub': ['${Base}items', { Base: { 'Fn::ImportValue': 'rest-url' } }] } },
        },
      },
    },
    Outputs: {
      Imported: { Value: { 'Fn::ImportValue': 'rest-url' } },
      Nested: { Value: { 'Fn::Sub': '${Child.Outputs.Endpoint}/items' } },
    },
  });
  const { Exports } = await cfn.listExports({});
  const exported = Exports!.find(({ Name }) => Name === 'rest-url')!.Value!;
  expect(outputs.Imported).toBe(exported);
  expect((await parameters.getParameter({ Name: '/child/url' })).Parameter!.Value).toBe(`${exported}items`);
  expect(outputs.Nested).toMatch(/^http:\/\/localhost:4566\/_aws\/execute-api\/[a-z0-9]{10}\/items$/);
});

const ONE_API = {
  Resources: { Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'api', ProtocolType: 'HTTP' } } },
  Outputs: {
    Id: { Value: { Ref: 'Api' } },
    Url: { Value: { 'Fn::Sub': `https://\${Api}.execute-api.\${AWS::Region}.amazonaws.com/hello` } },
  },
};

test('a caller that reaches emu by a domain name gets host names below it', async () => {
  const endpoint = 'http://localhost.localstack.cloud:4566';
  const outputs = await deploy('below', ONE_API, {}, new CloudFormation({ ...emulator.clientConfig(), endpoint }));
  expect(outputs.Url).toBe(`http://${outputs.Id}.execute-api.us-east-1.localhost.localstack.cloud:4566/hello`);
});

test("a setting keeps AWS's endpoints", async () => {
  await using other = await createTestEmulator({
    manifests: MANIFESTS,
    settings: { values: { EMULATOR_CLOUDFORMATION_AWS_ENDPOINTS: true } },
  });
  const outputs = await deploy('api', ONE_API, {}, new CloudFormation(other.clientConfig()));
  expect(outputs.Url).toBe(`https://${outputs.Id}.execute-api.us-east-1.amazonaws.com/hello`);
});

test('outputs keep the names of AWS for a caller to whom they lead to emu', async () => {
  const endpoint = 'http://cloudformation.us-east-1.amazonaws.com';
  const client = new CloudFormation({ ...emulator.clientConfig(), endpoint });
  const template = {
    Resources: { Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'names' } } },
    Outputs: {
      Url: { Value: { 'Fn::Sub': `https://\${Api}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/dev` } },
    },
  };
  const { Url } = await deploy('names', template, {}, client);
  expect(Url).toMatch(/^https:\/\/[a-z0-9]{10}\.execute-api\.us-east-1\.amazonaws\.com\/dev$/);
});

// The issuer of a pool stays AWS's in outputs: tokens contain it, and verifiers compare it with the claim.
// https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-tokens-verifying-a-jwt.html
test("a JWT authorizer accepts the tokens of a user pool by the issuer in the pool's attributes", async () => {
  const { Api, Client, Issuer, Pool } = await deploy('issuer', {
    Resources: {
      Pool: { Type: 'AWS::Cognito::UserPool', Properties: {} },
      Client: {
        Type: 'AWS::Cognito::UserPoolClient',
        Properties: {
          UserPoolId: { Ref: 'Pool' },
          ExplicitAuthFlows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
        },
      },
      Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'api', ProtocolType: 'HTTP' } },
      Stage: {
        Type: 'AWS::ApiGatewayV2::Stage',
        Properties: { ApiId: { Ref: 'Api' }, StageName: '$default', AutoDeploy: true },
      },
      Authorizer: {
        Type: 'AWS::ApiGatewayV2::Authorizer',
        Properties: {
          ApiId: { Ref: 'Api' },
          Name: 'pool',
          AuthorizerType: 'JWT',
          IdentitySource: ['$request.header.Authorization'],
          JwtConfiguration: { Audience: [{ Ref: 'Client' }], Issuer: { 'Fn::GetAtt': ['Pool', 'ProviderURL'] } },
        },
      },
      Integration: {
        Type: 'AWS::ApiGatewayV2::Integration',
        Properties: {
          ApiId: { Ref: 'Api' },
          IntegrationType: 'HTTP_PROXY',
          IntegrationMethod: 'GET',
          IntegrationUri: 'http://localhost:1/',
          PayloadFormatVersion: '1.0',
        },
      },
      Route: {
        Type: 'AWS::ApiGatewayV2::Route',
        Properties: {
          ApiId: { Ref: 'Api' },
          RouteKey: 'GET /',
          AuthorizationType: 'JWT',
          AuthorizerId: { Ref: 'Authorizer' },
          Target: { 'Fn::Join': ['/', ['integrations', { Ref: 'Integration' }]] },
        },
      },
    },
    Outputs: {
      Api: { Value: { Ref: 'Api' } },
      Client: { Value: { Ref: 'Client' } },
      Issuer: { Value: { 'Fn::GetAtt': ['Pool', 'ProviderURL'] } },
      Pool: { Value: { Ref: 'Pool' } },
    },
  });
  expect(Issuer).toBe(`https://cognito-idp.us-east-1.amazonaws.com/${Pool}`);
  const users = new CognitoIdentityProvider(emulator.clientConfig());
  const user = { UserPoolId: Pool, Username: 'jane' };
  await users.adminCreateUser({ ...user, MessageAction: 'SUPPRESS' });
  await users.adminSetUserPassword({ ...user, Password: 'Passw0rd!', Permanent: true });
  const { AuthenticationResult } = await users.adminInitiateAuth({
    UserPoolId: Pool,
    ClientId: Client,
    AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: 'jane', PASSWORD: 'Passw0rd!' },
  });
  const token = AuthenticationResult!.AccessToken!;
  expect(JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())).toMatchObject({ iss: Issuer });
  const statusWith = async (authorization: string): Promise<number> => {
    const headers = { host: `${Api}.execute-api.${BELOW}`, authorization };
    return (await sendRaw(emulator, { method: 'GET', target: '/', headers })).status;
  };
  // The endpoint of the integration does not exist: an accepted token leads there.
  expect(await statusWith(`Bearer ${token}`)).toBe(503);
  expect(await statusWith(`Bearer ${token.slice(0, -10)}AAAAAAAAAA`)).toBe(401);
});
