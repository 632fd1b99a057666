import { createHmac } from 'node:crypto';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { IAM } from '@aws-sdk/client-iam';
import { KMS } from '@aws-sdk/client-kms';
import { Lambda } from '@aws-sdk/client-lambda';
import { GetObjectCommand, PutObjectCommand, S3 } from '@aws-sdk/client-s3';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SNS } from '@aws-sdk/client-sns';
import { SSM } from '@aws-sdk/client-ssm';
import { STS } from '@aws-sdk/client-sts';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createLogger } from '@emu/core';
import { createTestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as cognito } from '@emu/svc-cognito-idp/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { expect, test } from 'vitest';

const ROLE = 'arn:aws:iam::123456789012:role/worker';
/** Text in a log line of the function, by log format. */
const OF_FUNCTION = { text: '[orders] ', json: '"function":"orders"' };
const TRUST = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: '*', Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
});

test.each(['text', 'json'] as const)(
  'the log contains no secret, key or token at its lowest level (%s)',
  async (format) => {
    const written: string[] = [];
    const log = createLogger({ level: 'trace', format, write: (line) => written.push(line) });
    const emulator = await createTestEmulator({
      manifests: [apigateway, cognito, events, iam, kms, lambda, s3, secretsmanager, sns, sqs, ssm, sts],
      settings: { accountId: '123456789012' },
      verifySigv4: true,
      log,
    });
    const created = { accountId: '123456789012', userName: 'admin' };
    const { json } = await emulator.control('POST', '/_emulator/iam/create-admin', created);
    const admin = json as { accessKeyId: string; secretAccessKey: string };
    const config = emulator.clientConfig(admin);
    /** Texts that the log must not contain: sent ones are marked, generated ones are collected. */
    const secrets: string[] = [admin.secretAccessKey];
    const secret = (name: string): string => {
      secrets.push(`hidden-${name}`);
      return `hidden-${name}`;
    };
    const collect = (...made: (string | undefined)[]): void => {
      for (const each of made) secrets.push(each!);
    };

    const users = new IAM(config);
    await users.createUser({ UserName: 'jane' });
    const { AccessKey } = await users.createAccessKey({ UserName: 'jane' });
    collect(AccessKey!.SecretAccessKey);
    await users.createLoginProfile({ UserName: 'jane', Password: secret('password-1A!') });
    await users.createRole({ RoleName: 'worker', AssumeRolePolicyDocument: TRUST });
    const { Credentials } = await new STS(config).assumeRole({ RoleArn: ROLE, RoleSessionName: 'session' });
    collect(Credentials!.SecretAccessKey, Credentials!.SessionToken);
    const session = emulator.clientConfig({
      accessKeyId: Credentials!.AccessKeyId!,
      secretAccessKey: Credentials!.SecretAccessKey!,
      sessionToken: Credentials!.SessionToken!,
    });
    await new STS(session).getCallerIdentity({});

    const keys = new KMS(config);
    const { KeyMetadata } = await keys.createKey({});
    const { KeyId } = KeyMetadata!;
    const { Plaintext } = await keys.generateDataKey({ KeyId, KeySpec: 'AES_256' });
    collect(Buffer.from(Plaintext!).toString('base64'));
    const plaintext = secret('plaintext');
    collect(Buffer.from(plaintext).toString('base64'));
    const { CiphertextBlob } = await keys.encrypt({ KeyId, Plaintext: Buffer.from(plaintext) });
    await keys.decrypt({ CiphertextBlob });

    const stored = new SecretsManager(config);
    await stored.createSecret({ Name: 'app', SecretString: secret('string') });
    await stored.putSecretValue({ SecretId: 'app', SecretString: secret('next') });
    await stored.getSecretValue({ SecretId: 'app' });
    await expect(stored.createSecret({ Name: 'app', SecretString: secret('refused') })).rejects.toThrow();

    const parameters = new SSM(config);
    await parameters.putParameter({ Name: '/app', Value: secret('parameter'), Type: 'SecureString' });
    await parameters.getParameter({ Name: '/app', WithDecryption: true });
    await parameters.getParametersByPath({ Path: '/', WithDecryption: true });
    const gateway = new APIGateway(config);
    const { value } = await gateway.createApiKey({ name: 'key', enabled: true });
    collect(value);
    await gateway.getApiKeys({ includeValues: true });

    const pools = new CognitoIdentityProvider(config);
    const { UserPool } = await pools.createUserPool({ PoolName: 'pool' });
    const { UserPoolClient } = await pools.createUserPoolClient({
      UserPoolId: UserPool!.Id,
      ClientName: 'client',
      GenerateSecret: true,
      ExplicitAuthFlows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
    });
    const { ClientId, ClientSecret, UserPoolId } = UserPoolClient!;
    collect(ClientSecret);
    const user = { UserPoolId, Username: 'jane' };
    await pools.adminCreateUser({ ...user, TemporaryPassword: secret('temporary-1A!') });
    await pools.adminSetUserPassword({ ...user, Password: secret('permanent-1A!'), Permanent: true });
    const hash = createHmac('sha256', ClientSecret!).update(`jane${ClientId}`).digest('base64');
    const signIn = (PASSWORD: string) =>
      pools.adminInitiateAuth({
        UserPoolId,
        ClientId,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'jane', PASSWORD, SECRET_HASH: hash },
      });
    await expect(signIn(secret('wrong'))).rejects.toThrow();
    const { AuthenticationResult: tokens } = await signIn('hidden-permanent-1A!');
    collect(hash, tokens!.AccessToken, tokens!.IdToken, tokens!.RefreshToken);
    const token = tokens!.AccessToken;
    await pools.getUser({ AccessToken: token });

    const functions = new Lambda(config);
    await functions.createFunction({
      FunctionName: 'orders',
      Role: ROLE,
      Runtime: 'nodejs20.x',
      Handler: 'index.handler',
      Code: { ZipFile: zipOf({ 'index.js': 'exports.handler = async () => { throw new Error("no"); };' }) },
      Environment: { Variables: { PASSWORD: secret('variable') } },
    });
    await functions.invoke({ FunctionName: 'orders', Payload: JSON.stringify(secret('payload')) });

    const objects = new S3(config);
    await objects.createBucket({ Bucket: 'data' });
    const at = { Bucket: 'data', Key: 'key' };
    const put = await getSignedUrl(objects, new PutObjectCommand(at));
    const get = await getSignedUrl(new S3(session), new GetObjectCommand(at));
    for (const [url, method, body] of [
      [put, 'PUT', secret('object')],
      [get, 'GET'],
      [`${get}0`, 'GET'],
    ] as const) {
      collect(new URL(url).searchParams.get('X-Amz-Signature') ?? undefined);
      await emulator.gateway.fetch(new Request(url, { method, ...(body !== undefined && { body }) }));
    }

    const SSECustomerKey = secret('of-the-customer').padEnd(32, '0');
    collect(Buffer.from(SSECustomerKey).toString('base64'));
    const sealed = { Bucket: 'data', Key: 'sealed', SSECustomerAlgorithm: 'AES256', SSECustomerKey };
    await objects.putObject({ ...sealed, Body: 'x' });
    await expect(objects.getObject({ Bucket: 'data', Key: 'sealed' })).rejects.toThrow();

    // Failing deliveries, whose URLs and headers contain credentials.
    const { TopicArn } = await new SNS(config).createTopic({ Name: 'topic' });
    const Endpoint = `http://jane:${secret('basic')}@127.0.0.1:9/?token=${secret('token')}`;
    await new SNS(config).subscribe({ TopicArn, Protocol: 'http', Endpoint });
    const rules = new EventBridge(config);
    const { ConnectionArn } = await rules.createConnection({
      Name: 'connection',
      AuthorizationType: 'API_KEY',
      AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'x-key', ApiKeyValue: secret('key') } },
    });
    const { ApiDestinationArn } = await rules.createApiDestination({
      Name: 'destination',
      ConnectionArn,
      InvocationEndpoint: 'https://127.0.0.1:9/',
      HttpMethod: 'POST',
    });
    await rules.putRule({ Name: 'rule', EventPattern: '{"source":["shop"]}' });
    const RetryPolicy = { MaximumRetryAttempts: 0 };
    await rules.putTargets({
      Rule: 'rule',
      Targets: [{ Id: '1', Arn: ApiDestinationArn!, RoleArn: ROLE, RetryPolicy }],
    });
    await rules.putEvents({ Entries: [{ Source: 'shop', DetailType: 'Order', Detail: '{}' }] });
    await emulator.control('GET', '/_emulator/credentials');

    const text = () => written.join('');
    // Deliveries in progress are logged until their end.
    await emulator.close();
    // The log exists and contains the work.
    expect(text()).toContain(OF_FUNCTION[format]);
    for (const said of [
      'CreateSecret',
      'PutEvents',
      'AdminInitiateAuth',
      'GetParametersByPath',
      '/_emulator/credentials',
    ])
      expect(text()).toContain(said);
    const shown = secrets.filter((each) => text().includes(each) || text().includes(encodeURIComponent(each)));
    expect(shown).toEqual([]);
  },
);
