import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { IAM } from '@aws-sdk/client-iam';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { createEmulator, type EmbeddedEmulator } from '@emu/emulator';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zipOf } from '../../../packages/gateway/src/testing/zip.ts';

const EXECUTABLE = '/usr/bin/chromium';
const isThere = existsSync(EXECUTABLE);
const SCREENSHOTS = fileURLToPath(new URL('../.screenshots/', import.meta.url));
/** Markup that would set a global of the page if it were interpreted. */
const SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const CODE = 'exports.handler = async (event) => { console.log("seen", event.name); return { hello: event.name }; };';
const SERVICES: readonly string[] = ['s3', 'sqs', 'sns', 'dynamodb', 'lambda', 'logs', 'events', 'kms', 'iam'];

const NAME = `the console in Chromium${isThere ? '' : ` (skipped: there is no ${EXECUTABLE})`}`;

describe.skipIf(!isThere)(NAME, { timeout: 120_000 }, () => {
  let emu: EmbeddedEmulator;
  let close: () => Promise<void>;
  let browser: Browser;
  let page: Page;
  let base: string;
  let sqs: SQS;
  let s3: S3;
  let sns: SNS;
  let iam: IAM;
  const problems: string[] = [];
  const foreign: string[] = [];

  /** With credentials that pass verification; the page has none to sign with. */
  const clientConfig = async () => {
    const { AccessKeyId, SecretAccessKey, Token } = await emu.control.credentials();
    const [accessKeyId, secretAccessKey, sessionToken] = [AccessKeyId, SecretAccessKey, Token];
    return emu.clientConfig({ credentials: { accessKeyId, secretAccessKey, sessionToken } });
  };

  beforeAll(async () => {
    // A container engine may exist without an image of the runtime.
    emu = await createEmulator({
      services: SERVICES,
      settings: { EMULATOR_LAMBDA_BACKEND: 'process', EMULATOR_VERIFY_SIGV4: 'true' },
    });
    const listener = await emu.listen({ port: 0 });
    close = () => listener.close();
    base = listener.url;
    const config = await clientConfig();
    sqs = new SQS(config);
    sns = new SNS(config);
    iam = new IAM(config);
    s3 = new S3(config);
    const dynamodb = new DynamoDB(config);
    const lambda = new Lambda(config);
    await s3.createBucket({ Bucket: 'photos' });
    const put = (Key: string, Body: string, ContentType: string) =>
      s3.putObject({ Bucket: 'photos', Key, Body, ContentType, Tagging: `note=${encodeURIComponent('a b')}` });
    await put(`evil ${SCRIPT.replaceAll('/', '')}`, SCRIPT, 'text/html');
    await put('pages/index.html', `<h1>Shown</h1>${SCRIPT}`, 'text/html');
    await put(
      'pages/logo.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>parent.hacked=1</script></svg>',
      'image/svg+xml',
    );
    await put('notes.txt', SCRIPT, 'text/plain');
    const { QueueUrl } = await sqs.createQueue({ QueueName: 'orders' });
    await sqs.sendMessage({ QueueUrl, MessageBody: SCRIPT });
    await dynamodb.createTable({
      TableName: 'customers',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    });
    for (const [id, name] of [
      ['1', 'Jane'],
      ['2', SCRIPT],
    ] as const)
      await dynamodb.putItem({ TableName: 'customers', Item: { id: { S: id }, name: { S: name }, total: { N: '7' } } });
    await lambda.createFunction({
      FunctionName: 'greet',
      Runtime: 'nodejs22.x',
      Handler: 'index.handler',
      Role: 'arn:aws:iam::123456789012:role/r',
      // Programs start slowly on a busy machine.
      Timeout: 80,
      Code: { ZipFile: zipOf({ 'index.js': CODE }) },
    });
    mkdirSync(SCREENSHOTS, { recursive: true });
    browser = await chromium.launch({
      executablePath: EXECUTABLE,
      args: ['--no-sandbox', '--disable-gpu', '--no-proxy-server'],
    });
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
    page.setDefaultTimeout(90_000);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('dialog', (dialog) => dialog.accept());
    page.on('request', (request) => {
      if (!/^(?:blob:|data:|about:)/.test(request.url()) && !request.url().startsWith(base))
        foreign.push(request.url());
    });
    // The services reject such a tag, as AWS does; the page does not depend on it.
    await page.route('**/console/resources?*', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      for (const resource of answer.resources) resource.tags.team = SCRIPT;
      await route.fulfill({ response, json: answer });
    });
    await page.goto(`${base}/_emulator/console`);
  });
  afterAll(async () => {
    await browser?.close();
    await close?.();
    await emu?.close();
  });

  const open = async (path: string, title: string): Promise<void> => {
    await page.goto(`${base}/_emulator/console#/${path}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  };
  const picture = (name: string) => page.screenshot({ path: `${SCREENSHOTS}${name}.png` });
  const cell = (text: string) => page.getByRole('cell', { name: text, exact: true });

  test('resources are listed by declared types, in light and dark mode', async () => {
    await open('resources', 'Resources');
    await page.getByRole('link', { name: 'orders' }).waitFor();
    await page.getByText(`team=${SCRIPT}`).first().waitFor();
    await picture('resources');
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture('resources-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByLabel('Filter').fill('dynamodb');
    expect(await page.getByRole('link', { name: 'orders' }).count()).toBe(0);
    await page.getByLabel('Region').fill('eu-west-1');
    await page.getByLabel('Region').press('Enter');
    await page.getByLabel('Region').blur();
    await page.getByText('This account has nothing in this region yet.').waitFor();
    await page.getByLabel('Region').fill('us-east-1');
    await page.getByLabel('Region').blur();
    await page.getByRole('link', { name: 'orders' }).waitFor();
  });

  test('objects are listed, uploaded and previewed without running their scripts', async () => {
    await open('s3', 'S3 buckets');
    await page.getByRole('link', { name: 'photos' }).click();
    await page.getByRole('link', { name: 'pages/' }).waitFor();
    await page
      .getByLabel('Files')
      .setInputFiles({ name: 'up.txt', mimeType: 'text/plain', buffer: Buffer.from('uploaded') });
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByRole('link', { name: 'up.txt' }).waitFor();
    expect(await (await s3.getObject({ Bucket: 'photos', Key: 'up.txt' })).Body?.transformToString()).toBe('uploaded');
    await picture('s3');
    await page.getByRole('link', { name: 'notes.txt' }).click();
    await page.locator('pre').getByText(SCRIPT).waitFor();
    await open('s3/photos/object/pages%2Findex.html', 'pages/index.html');
    await page.frameLocator('iframe').getByRole('heading', { name: 'Shown' }).waitFor();
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('');
    await picture('s3-preview');
    await open('s3/photos/object/pages%2Flogo.svg', 'pages/logo.svg');
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('');
  });

  test('queues are shown without receiving, sent to and purged', async () => {
    await open('queues/orders', 'orders');
    await page.locator('pre.body').getByText(SCRIPT).waitFor();
    await page.getByLabel('Body', { exact: true }).fill('{"order":1}');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.locator('pre.body').getByText('{"order":1}').waitFor();
    await picture('queue');
    const { Messages } = await sqs.receiveMessage({
      QueueUrl: 'orders',
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['ApproximateReceiveCount'],
    });
    expect(Messages?.map(({ Attributes }) => Attributes?.ApproximateReceiveCount)).toEqual(['1', '1']);
    await page.getByRole('button', { name: 'Redrive to sources' }).click();
    await page.getByRole('alert').getByText(/:/).first().waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).last().click();
    await page.getByRole('button', { name: 'Purge' }).click();
    await page.getByText('No messages.').waitFor();
  });

  test('tables are scanned and queried', async () => {
    await open('tables/customers', 'customers');
    await cell(SCRIPT).waitFor();
    await page.getByLabel('Partition key').fill('1');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('1 items of 1 read').waitFor();
    expect(await cell('Jane').count()).toBe(1);
    await picture('table');
  });

  test('functions are invoked, and their logs are shown', async () => {
    await open('functions/greet', 'greet');
    await page.getByLabel('Event').fill('{"name":"Jane"}');
    await page.getByRole('button', { name: 'Invoke' }).click();
    await page
      .getByText(/^Answer /)
      .or(page.getByRole('alert'))
      .first()
      .waitFor();
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
    expect(await page.locator('[aria-live] pre').first().textContent()).toBe('{"hello":"Jane"}');
    await page
      .getByLabel('Log lines')
      .getByText(/seen Jane/)
      .waitFor();
    await picture('function');
  });

  test('requests appear when they complete', async () => {
    await open('requests', 'Requests');
    await page.getByRole('button', { name: 'Start recording' }).click();
    await page.getByRole('button', { name: 'Stop recording' }).waitFor();
    await sqs.sendMessage({ QueueUrl: 'orders', MessageBody: SCRIPT });
    await page.getByRole('button', { name: 'sqs.SendMessage' }).click();
    await page
      .locator('pre')
      .getByText(/"MessageBody"/)
      .waitFor();
    await picture('requests');
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.getByRole('button', { name: 'Start recording' }).waitFor();
  });

  test('the clock, faults, topics, buses, keys and users have views', async () => {
    await open('clock', 'Clock');
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByText('frozen').waitFor();
    await picture('clock');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('running').waitFor();
    await open('faults', 'Faults');
    await page.getByLabel('Service').fill('sqs');
    await page.getByRole('button', { name: 'Inject fault' }).click();
    await cell('InternalFailure').waitFor();
    await picture('faults');
    await page.getByRole('button', { name: 'End all' }).click();
    await page.getByText('No faults are injected.').waitFor();
    await open('buses/default', 'default');
    await page.getByRole('button', { name: 'Put event' }).click();
    await page
      .getByRole('status')
      .getByText(/Put as/)
      .waitFor();
    for (const [path, title] of [
      ['topics', 'SNS topics'],
      ['keys', 'KMS keys'],
      ['users', 'Users and roles'],
      ['logs', 'Log groups'],
    ] as const)
      await open(path, title);
    await picture('logs');
  });

  test('topics publish to queues, and dead letters are redriven', async () => {
    const { QueueUrl: dead } = await sqs.createQueue({ QueueName: 'dead' });
    const deadLetterTargetArn = 'arn:aws:sqs:us-east-1:123456789012:dead';
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 });
    const { QueueUrl } = await sqs.createQueue({
      QueueName: 'source',
      Attributes: { RedrivePolicy, VisibilityTimeout: '0' },
    });
    const { TopicArn } = await sns.createTopic({ Name: 'news' });
    await sns.subscribe({
      TopicArn,
      Protocol: 'sqs',
      Endpoint: 'arn:aws:sqs:us-east-1:123456789012:source',
      Attributes: { RawMessageDelivery: 'true' },
    });
    await open('topics', 'SNS topics');
    await page.getByRole('link', { name: 'news' }).click();
    await page.getByLabel('Message').fill('published');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page
      .getByRole('status')
      .getByText(/Published as/)
      .waitFor();
    await picture('topic');
    await open('queues/source', 'source');
    await page.locator('pre.body').getByText('published').waitFor();
    // The second receive moves it to the dead-letter queue.
    for (let times = 0; times < 2; times++) await sqs.receiveMessage({ QueueUrl });
    await open('queues/dead', 'dead');
    await page.locator('pre.body').getByText('published').waitFor();
    await page.getByRole('button', { name: 'Redrive to sources' }).click();
    await page.getByText('No messages.').waitFor();
    const { Attributes } = await sqs.getQueueAttributes({
      QueueUrl: dead,
      AttributeNames: ['ApproximateNumberOfMessages'],
    });
    expect(Attributes?.ApproximateNumberOfMessages).toBe('0');
  });

  test('the policy simulator shows the permissions of a user', async () => {
    await iam.createUser({ UserName: 'jane' });
    const Statement = [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }];
    const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
    await iam.putUserPolicy({ UserName: 'jane', PolicyName: 'reads', PolicyDocument });
    await open('users', 'Users and roles');
    await page.getByRole('row', { name: /jane/ }).getByRole('button', { name: 'Simulate' }).click();
    await page.getByLabel('Actions').fill('s3:GetObject, s3:PutObject');
    await page.getByRole('button', { name: 'Simulate' }).last().click();
    await page.getByText('allowed', { exact: true }).waitFor();
    await page.getByText('implicitDeny', { exact: true }).waitFor();
    await picture('users');
  });

  test('all views are accessible by keyboard, and errors are shown', async () => {
    await open('users', 'Users and roles');
    await page.getByRole('link', { name: 'Queues' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'SQS queues' }).waitFor();
    await page.waitForFunction('document.activeElement.id === "main"');
    await open('queues/missing', 'Queues');
    await page
      .getByRole('alert')
      .getByText(/QueueDoesNotExist/)
      .waitFor();
  });

  test('a reset removes the state', async () => {
    await open('state', 'Reset and state');
    await picture('state');
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('status').getByText('Reset').waitFor();
    // The reset removed its key.
    sqs = new SQS(await clientConfig());
    expect((await sqs.listQueues({})).QueueUrls).toBeUndefined();
  });

  test('nothing stored has run, and nothing was loaded from elsewhere', async () => {
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(problems).toEqual([]);
    expect(foreign).toEqual([]);
  });
});
