import { createHash } from 'node:crypto';
import type { CreateFunctionCommandInput } from '@aws-sdk/client-lambda';
import { zipOf } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { arn, BASE, CODE, failureOf, ROLE, startLambda } from './support.ts';

const OTHER_CODE = zipOf({ 'index.js': 'exports.handler = async () => 2;' });
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64');

describe('CreateFunction', () => {
  it('creates a function that is pending at first and then active', async () => {
    await using test = await startLambda();
    const created = await test.lambda.createFunction({ ...BASE, FunctionName: 'fn', Tags: { a: 'b' } });
    expect(created).toMatchObject({
      FunctionName: 'fn',
      FunctionArn: arn('function:fn'),
      State: 'Pending',
      StateReason: 'The function is being created.',
      StateReasonCode: 'Creating',
      Runtime: 'nodejs20.x',
      Role: ROLE,
      Handler: 'index.handler',
      Version: '$LATEST',
      Timeout: 3,
      MemorySize: 128,
      Description: '',
      PackageType: 'Zip',
      CodeSha256: digest(CODE),
      CodeSize: CODE.length,
      Architectures: ['x86_64'],
      EphemeralStorage: { Size: 512 },
      TracingConfig: { Mode: 'PassThrough' },
      SnapStart: { ApplyOn: 'None', OptimizationStatus: 'Off' },
      LoggingConfig: { LogFormat: 'Text', LogGroup: '/aws/lambda/fn' },
    });
    expect(created.LastModified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/);
    expect(created.RuntimeVersionConfig!.RuntimeVersionArn).toMatch(/^arn:aws:lambda:us-east-1::runtime:[0-9a-f]{64}$/);
    expect(created.LastUpdateStatus).toBeUndefined();
    expect(created.Environment).toBeUndefined();
    const { Configuration, Code, Tags } = await test.lambda.getFunction({ FunctionName: 'fn' });
    expect(Configuration).toMatchObject({ State: 'Active', LastUpdateStatus: 'Successful' });
    expect(Configuration!.RevisionId).not.toBe(created.RevisionId);
    // Lists omit state and runtime version.
    const { Functions } = await test.lambda.listFunctions({});
    const { Versions } = await test.lambda.listVersionsByFunction({ FunctionName: 'fn' });
    for (const listed of [Functions![0]!, Versions![0]!]) {
      expect(listed).toMatchObject({ FunctionName: 'fn', Runtime: created.Runtime });
      for (const member of ['State', 'LastUpdateStatus', 'RuntimeVersionConfig'])
        expect(listed).not.toHaveProperty(member);
    }
    expect(Code!.RepositoryType).toBe('S3');
    expect(Tags).toEqual({ a: 'b' });
  });

  it('rejects a duplicate name, even in concurrent requests', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn');
    const refused = 'ResourceConflictException: Function already exist: fn';
    expect(await failureOf(test.lambda.createFunction({ ...BASE, FunctionName }))).toBe(refused);
    const both = await Promise.allSettled([1, 2].map(() => test.create('other')));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  // Messages are recorded from AWS (lambda_api), or quoted in AWS's own issue trackers.
  it.each<[string, Partial<CreateFunctionCommandInput>, string]>([
    [
      'unknown runtimes',
      { Runtime: 'PYTHON3.9' as never },
      "InvalidParameterValueException: Value PYTHON3.9 at 'runtime' failed to satisfy constraint: Member must satisfy enum value set: [nodejs20.x, python3.14, provided.al2023, python3.12, python3.13, nodejs24.x, nodejs22.x, java25, python3.10, python3.11, java21, ruby3.3, ruby3.4, ruby3.2, python3.8, python3.9, java17, nodejs16.x, dotnet10, dotnet8, java11, dotnet6, nodejs18.x, provided.al2, java8.al2] or be a valid ARN",
    ],
    [
      'retired runtimes',
      { Runtime: 'nodejs14.x' },
      'InvalidParameterValueException: The runtime parameter of nodejs14.x is no longer supported for creating or updating AWS Lambda functions. We recommend you use a supported runtime while creating or updating functions.',
    ],
    [
      'invalid roles',
      { Role: 'r1' },
      "ValidationException: 1 validation error detected: Value 'r1' at 'role' failed to satisfy constraint: Member must satisfy regular expression pattern: arn:(aws[a-zA-Z-]*)?:iam::\\d{12}:role/?[a-zA-Z_0-9+=,.@\\-_/]+",
    ],
    [
      'several architectures',
      { Architectures: ['x86_64', 'arm64'] },
      "ValidationException: 1 validation error detected: Value '[x86_64, arm64]' at 'architectures' failed to satisfy constraint: Member must have length less than or equal to 1",
    ],
    [
      'unknown architectures',
      { Architectures: ['X86_64' as never] },
      "ValidationException: 1 validation error detected: Value '[X86_64]' at 'architectures' failed to satisfy constraint: Member must satisfy constraint: [Member must satisfy enum value set: [x86_64, arm64], Member must not be null]",
    ],
    [
      'packages without runtime or handler',
      { Handler: undefined },
      'InvalidParameterValueException: Runtime and Handler are mandatory parameters for functions created with deployment packages.',
    ],
    [
      'long names',
      { FunctionName: 'a'.repeat(65) },
      `InvalidParameterValueException: 1 validation error detected: Value '${'a'.repeat(65)}' at 'functionName' failed to satisfy constraint: Member must have length less than or equal to 64`,
    ],
    [
      'names in other regions',
      { FunctionName: 'arn:aws:lambda:ap-southeast-1:000000000000:function:fn' },
      "ResourceNotFoundException: Functions from 'ap-southeast-1' are not reachable in this region ('us-east-1')",
    ],
    [
      'reserved variables',
      { Environment: { Variables: { AWS_REGION: 'x', OWN: 'y' } } },
      'InvalidParameterValueException: Lambda was unable to configure your environment variables because the environment variables you have provided contains reserved keys that are currently not supported for modification. Reserved keys used in this request: AWS_REGION',
    ],
    [
      'large environments',
      { Environment: { Variables: { LARGE: 'x'.repeat(4096) } } },
      `InvalidParameterValueException: Lambda was unable to configure your environment variables because the environment variables you have provided exceeded the 4KB limit. String measured: {"LARGE":"${'x'.repeat(4096)}"}`,
    ],
    [
      'long timeouts',
      { Timeout: 901 },
      "ValidationException: 1 validation error detected: Value '901' at 'timeout' failed to satisfy constraint: Member must have value less than or equal to 900",
    ],
    [
      'much memory',
      { MemorySize: 10_241 },
      "ValidationException: 1 validation error detected: Value '10241' at 'memorySize' failed to satisfy constraint: Member must have value less than or equal to 10240",
    ],
    [
      'SnapStart for unsupported runtimes',
      { SnapStart: { ApplyOn: 'PublishedVersions' } },
      'InvalidParameterValueException: nodejs20.x is not supported for SnapStart enabled functions.',
    ],
    [
      'SnapStart for OS-only runtimes',
      { Runtime: 'provided.al2023', SnapStart: { ApplyOn: 'PublishedVersions' } },
      'InvalidParameterValueException: provided.al2023 is not supported for SnapStart enabled functions.',
    ],
    [
      'file systems, which emu does not support',
      {
        FileSystemConfigs: [
          {
            Arn: 'arn:aws:s3files:us-east-1:000000000000:file-system/fs-12345678901234567/access-point/fsap-12345678901234567',
            LocalMountPath: '/mnt/files',
          },
        ],
      },
      'NotImplemented: emu does not implement FileSystemConfigs of lambda functions.',
    ],
    [
      'log levels for text logs',
      { LoggingConfig: { ApplicationLogLevel: 'DEBUG' } },
      'InvalidParameterValueException: Log level is not supported when log format is set to Text. Remove log level from your request or change the log format to JSON and try again.',
    ],
    [
      'dead letters to other services',
      { DeadLetterConfig: { TargetArn: 'arn:aws:s3:::bucket' } },
      'InvalidParameterValueException: The provided target Arn arn:aws:s3:::bucket is invalid: a dead letter target is an SQS queue or an SNS topic.',
    ],
    [
      'an incomplete network configuration',
      { VpcConfig: { SubnetIds: ['subnet-1'] } },
      'InvalidParameterValueException: SubnetIds and SecurityIds must coexist or be both empty list.',
    ],
    [
      'missing code signing configurations',
      { CodeSigningConfigArn: `${arn('code-signing-config')}:csc-12345678901234567` },
      `CodeSigningConfigNotFoundException: The code signing configuration cannot be found. Check that the provided configuration is not deleted: ${arn('code-signing-config:csc-12345678901234567')}.`,
    ],
    [
      'too many tags',
      { Tags: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v'])) },
      'InvalidParameterValueException: Number of tags exceeds resource tag limit.',
    ],
    ['no code', { Code: {} }, 'InvalidParameterValueException: Please provide a source for function code.'],
    [
      'images without a URI',
      { PackageType: 'Image', Runtime: undefined, Handler: undefined },
      'InvalidParameterValueException: Please provide ImageUri when creating a function with packageType Image.',
    ],
  ])('rejects %s', async (_, input, message) => {
    await using test = await startLambda();
    expect(await failureOf(test.lambda.createFunction({ ...BASE, FunctionName: 'fn', ...input }))).toBe(message);
    expect((await test.lambda.listFunctions({})).Functions).toEqual([]);
  });

  it('accepts what tools send by default', async () => {
    await using test = await startLambda();
    const defaults = {
      Architectures: ['x86_64'],
      EphemeralStorage: { Size: 512 },
      TracingConfig: { Mode: 'PassThrough' },
      SnapStart: { ApplyOn: 'None' },
      FileSystemConfigs: [],
      VpcConfig: { SubnetIds: [], SecurityGroupIds: [] },
      PackageType: 'Zip',
    } as const;
    await test.lambda.createFunction({ ...BASE, FunctionName: 'fn', ...structuredClone(defaults) } as never);
    expect(await test.lambda.getFunctionConfiguration({ FunctionName: 'fn' })).toMatchObject({
      EphemeralStorage: { Size: 512 },
      State: 'Active',
    });
  });

  it('reports images as failed without a container engine', async () => {
    await using test = await startLambda({ settings: { values: { EMULATOR_LAMBDA_BACKEND: 'process' } } });
    await test.lambda.createFunction({
      Role: BASE.Role,
      FunctionName: 'image',
      PackageType: 'Image',
      Code: { ImageUri: '000000000000.dkr.ecr.us-east-1.amazonaws.com/app:latest' },
    });
    const failed = {
      State: 'Failed',
      StateReasonCode: 'InternalError',
      StateReason:
        'emu cannot run image (container image, x86_64): container images need a container engine (EMULATOR_LAMBDA_BACKEND=docker or k8s).',
    };
    expect(await test.lambda.getFunctionConfiguration({ FunctionName: 'image' })).toMatchObject(failed);
    const { Configuration } = await test.lambda.getFunction({ FunctionName: 'image' });
    expect(Configuration).toMatchObject(failed);
    await test.create();
    expect(await test.lambda.getFunctionConfiguration({ FunctionName: 'fn' })).toMatchObject({ State: 'Active' });
  });

  it('accepts images with tags and digests', async () => {
    await using test = await startLambda();
    const uri = '000000000000.dkr.ecr.us-east-1.amazonaws.com/app:latest';
    const image = { PackageType: 'Image', Runtime: undefined, Handler: undefined, Code: { ImageUri: uri } } as const;
    const created = await test.lambda.createFunction({
      ...BASE,
      ...image,
      FunctionName: 'image',
      ImageConfig: { Command: ['run'], WorkingDirectory: '/app' },
    });
    expect(created).toMatchObject({
      PackageType: 'Image',
      CodeSize: 0,
      ImageConfigResponse: { ImageConfig: { Command: ['run'], WorkingDirectory: '/app' } },
    });
    expect(created.Runtime).toBeUndefined();
    const { Code } = await test.lambda.getFunction({ FunctionName: 'image' });
    expect(Code).toMatchObject({
      RepositoryType: 'ECR',
      ImageUri: uri,
      ResolvedImageUri: `000000000000.dkr.ecr.us-east-1.amazonaws.com/app@sha256:${created.CodeSha256}`,
    });
    expect(await failureOf(test.lambda.updateFunctionCode({ FunctionName: 'image', ZipFile: CODE }))).toBe(
      'InvalidParameterValueException: Please provide ImageUri when updating a function with packageType Image.',
    );
    for (const ImageConfig of [{}, { EntryPoint: [], Command: [], WorkingDirectory: '' }]) {
      await test.lambda.updateFunctionConfiguration({ FunctionName: 'image', ImageConfig: { Command: ['other'] } });
      await test.lambda.updateFunctionConfiguration({ FunctionName: 'image', ImageConfig });
      const { Configuration } = await test.lambda.getFunction({ FunctionName: 'image' });
      expect(Configuration!.ImageConfigResponse).toBeUndefined();
    }
  });
});

describe('UpdateFunctionCode', () => {
  it('updates the code for a given revision', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const { RevisionId } = await test.lambda.getFunctionConfiguration({ FunctionName });
    const dry = await test.lambda.updateFunctionCode({ FunctionName, ZipFile: OTHER_CODE, DryRun: true, RevisionId });
    expect(dry.CodeSha256).toBe(digest(OTHER_CODE));
    expect((await test.lambda.getFunctionConfiguration({ FunctionName })).CodeSha256).toBe(digest(CODE));
    const updated = await test.lambda.updateFunctionCode({
      FunctionName,
      ZipFile: OTHER_CODE,
      Architectures: ['arm64'],
      RevisionId,
    });
    expect(updated).toMatchObject({
      CodeSha256: digest(OTHER_CODE),
      State: 'Active',
      LastUpdateStatus: 'InProgress',
      LastUpdateStatusReason: 'The function is being created.',
      LastUpdateStatusReasonCode: 'Creating',
    });
    expect(await test.lambda.getFunctionConfiguration({ FunctionName })).toMatchObject({
      CodeSha256: digest(OTHER_CODE),
      Architectures: ['arm64'],
      LastUpdateStatus: 'Successful',
    });
    expect(await failureOf(test.lambda.updateFunctionCode({ FunctionName, ZipFile: CODE, RevisionId }))).toBe(
      'PreconditionFailedException: The Revision Id provided does not match the latest Revision Id. Call the GetFunction/GetAlias API to retrieve the latest Revision Id',
    );
    expect(await failureOf(test.lambda.updateFunctionCode({ FunctionName, ImageUri: 'app:1' }))).toBe(
      "InvalidParameterValueException: Please don't provide ImageUri when updating a function with packageType Zip.",
    );
    expect(await failureOf(test.lambda.updateFunctionCode({ FunctionName: 'none', ZipFile: CODE }))).toBe(
      `ResourceNotFoundException: Function not found: ${arn('function:none')}`,
    );
  });

  it('publishes a version on request', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const published = await test.lambda.updateFunctionCode({ FunctionName, ZipFile: OTHER_CODE, Publish: true });
    expect(published).toMatchObject({ Version: '1', FunctionArn: arn('function:fn:1'), State: 'Pending' });
    const { Configuration } = await test.lambda.getFunction({ FunctionName, Qualifier: '1' });
    expect(Configuration).toMatchObject({ Version: '1', State: 'Active', CodeSha256: digest(OTHER_CODE) });
  });
});

describe('UpdateFunctionConfiguration', () => {
  it('changes given members and keeps the others', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', {
      Environment: { Variables: { AA: '1' } },
      DeadLetterConfig: { TargetArn: 'arn:aws:sqs:us-east-1:000000000000:dlq' },
      KMSKeyArn: 'arn:aws:kms:us-east-1:000000000000:key/1',
    });
    await test.lambda.updateFunctionConfiguration({
      FunctionName,
      Description: 'changed',
      Timeout: 10,
      MemorySize: 512,
      Runtime: 'python3.12',
      Handler: 'app.run',
      EphemeralStorage: { Size: 1024 },
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON' },
      DurableConfig: { ExecutionTimeout: 60 },
    });
    const changed = await test.lambda.getFunctionConfiguration({ FunctionName });
    expect(changed).toMatchObject({
      Description: 'changed',
      Timeout: 10,
      MemorySize: 512,
      Runtime: 'python3.12',
      Handler: 'app.run',
      EphemeralStorage: { Size: 1024 },
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: {
        LogFormat: 'JSON',
        ApplicationLogLevel: 'INFO',
        SystemLogLevel: 'INFO',
        LogGroup: '/aws/lambda/fn',
      },
      Environment: { Variables: { AA: '1' } },
      DeadLetterConfig: { TargetArn: 'arn:aws:sqs:us-east-1:000000000000:dlq' },
      KMSKeyArn: 'arn:aws:kms:us-east-1:000000000000:key/1',
      DurableConfig: { ExecutionTimeout: 60, RetentionPeriodInDays: 14 },
    });
    await test.lambda.updateFunctionConfiguration({
      FunctionName,
      DeadLetterConfig: { TargetArn: '' },
      KMSKeyArn: '',
      Environment: { Variables: {} },
      LoggingConfig: { LogFormat: 'Text', LogGroup: 'own' },
    });
    const cleared = await test.lambda.getFunctionConfiguration({ FunctionName });
    expect(cleared.DeadLetterConfig).toBeUndefined();
    expect(cleared.KMSKeyArn).toBeUndefined();
    // The Terraform provider plans no change: TestAccLambdaFunction_EnvironmentVariables.
    expect(cleared.Environment).toBeUndefined();
    expect(cleared.LoggingConfig).toEqual({ LogFormat: 'Text', LogGroup: 'own' });
  });

  it('accepts an empty network configuration, and rejects a network without EC2', async () => {
    await using test = await startLambda();
    const VpcConfig = { SubnetIds: ['subnet-1'], SecurityGroupIds: ['sg-1'] };
    const refused = 'NotImplemented: emu does not implement VpcConfig of lambda functions.';
    expect(await failureOf(test.create('in-network', { VpcConfig }))).toBe(refused);
    const FunctionName = await test.create('fn');
    expect(await failureOf(test.lambda.updateFunctionConfiguration({ FunctionName, VpcConfig }))).toBe(refused);
    await test.lambda.updateFunctionConfiguration({
      FunctionName,
      VpcConfig: { SubnetIds: [], SecurityGroupIds: [] },
    });
    const after = await test.lambda.getFunctionConfiguration({ FunctionName });
    expect(after.VpcConfig).toEqual({
      SubnetIds: [],
      SecurityGroupIds: [],
      VpcId: '',
      Ipv6AllowedForDualStack: false,
    });
  });

  it('changes nothing if one part is invalid', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const before = await test.lambda.getFunctionConfiguration({ FunctionName });
    const wrong = { FunctionName, Timeout: 9, Layers: [arn('layer:none:1')] };
    expect(await failureOf(test.lambda.updateFunctionConfiguration(wrong))).toBe(
      `InvalidParameterValueException: Layer version ${arn('layer:none:1')} does not exist.`,
    );
    const after = await test.lambda.getFunctionConfiguration({ FunctionName });
    expect(after).toEqual({ ...before, $metadata: after.$metadata });
  });
});

describe('DeleteFunction', () => {
  it('deletes a function with everything that belongs to it', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', { Publish: true });
    await test.lambda.createAlias({ FunctionName, Name: 'live', FunctionVersion: '1' });
    await test.lambda.createFunctionUrlConfig({ FunctionName, AuthType: 'NONE' });
    const { $metadata } = await test.lambda.deleteFunction({ FunctionName });
    expect($metadata.httpStatusCode).toBe(204);
    const missing = `ResourceNotFoundException: Function not found: ${arn('function:fn')}`;
    expect(await failureOf(test.lambda.getFunction({ FunctionName }))).toBe(missing);
    expect(await failureOf(test.lambda.deleteFunction({ FunctionName }))).toBe(missing);
    expect(await failureOf(test.lambda.deleteFunction({ FunctionName, Qualifier: '1' }))).toBe(missing);
    await test.create();
    expect((await test.lambda.listAliases({ FunctionName })).Aliases).toEqual([]);
    expect((await test.lambda.listVersionsByFunction({ FunctionName })).Versions).toHaveLength(1);
  });

  it('deletes versions without aliases', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', { Publish: true });
    await test.lambda.createAlias({ FunctionName, Name: 'live', FunctionVersion: '1' });
    expect(await failureOf(test.lambda.deleteFunction({ FunctionName, Qualifier: '1' }))).toMatch(
      /^ResourceConflictException: Version 1 .*\[live\]$/,
    );
    await test.lambda.deleteAlias({ FunctionName, Name: 'live' });
    await test.lambda.deleteFunction({ FunctionName, Qualifier: '1' });
    const { Versions } = await test.lambda.listVersionsByFunction({ FunctionName });
    expect(Versions!.map(({ Version }) => Version)).toEqual(['$LATEST']);
    const again = await test.lambda.publishVersion({ FunctionName });
    expect(again.Version).toBe('2');
    expect(await failureOf(test.lambda.deleteFunction({ FunctionName, Qualifier: '$LATEST' }))).toBe(
      'InvalidParameterValueException: $LATEST version cannot be deleted without deleting the function.',
    );
    expect(await failureOf(test.lambda.deleteFunction({ FunctionName, Qualifier: 'live' }))).toBe(
      'InvalidParameterValueException: Deletion of aliases is not currently supported.',
    );
  });
});

describe('packages', () => {
  it('can be downloaded', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create('fn', { Publish: true });
    await test.lambda.updateFunctionCode({ FunctionName, ZipFile: OTHER_CODE });
    const bytesOf = async (Qualifier?: string) => {
      const { Code } = await test.lambda.getFunction({ FunctionName, Qualifier });
      const { pathname, search } = new URL(Code!.Location!);
      return test.emulator.control('GET', pathname + search);
    };
    expect((await bytesOf()).status).toBe(200);
    expect((await bytesOf('1')).status).toBe(200);
    const missing = await test.emulator.control('GET', '/_emulator/lambda/function-code/000000000000/none/latest.zip');
    expect(missing).toMatchObject({ status: 404, json: { error: { code: 'NotFound' } } });
  });

  it('are deleted with the last version that uses them', async () => {
    await using test = await startLambda();
    const FunctionName = await test.create();
    const usage = async () => (await test.lambda.getAccountSettings({})).AccountUsage!;
    expect(await usage()).toEqual({ FunctionCount: 1, TotalCodeSize: CODE.length });
    await test.lambda.publishVersion({ FunctionName });
    expect(await usage()).toEqual({ FunctionCount: 1, TotalCodeSize: 2 * CODE.length });
    await test.lambda.deleteFunction({ FunctionName });
    expect(await usage()).toEqual({ FunctionCount: 0, TotalCodeSize: 0 });
  });
});
