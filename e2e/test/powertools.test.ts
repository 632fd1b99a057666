import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { ROOT } from '../src/docs.ts';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';
import { canRun, run } from '../src/programs.ts';

const MINUTES = 60_000;
const ARN = 'arn:aws:lambda:us-east-1:017000801446:layer:AWSLambdaPowertoolsPythonV3-python312-x86_64:7';
const SERVICE = join(ROOT, 'e2e/powertools');
const noPip = canRun('python3', '-m', 'pip', '--version') ? undefined : 'there is no python3 with pip on this machine';
const missing = noCli ?? noPip;

/**
 * Returns the environment in which pip finds Powertools: PyPI or, where it is not available, a folder with a stand-in
 * of the same layout.
 */
async function registry(folder: string): Promise<Record<string, string>> {
  const options = ['--no-deps', '--retries', '0', '--timeout', '5', '--dest', join(folder, 'download')];
  const asked = await run('python3', ['-m', 'pip', 'download', ...options, 'aws-lambda-powertools>=3,<4']);
  if (asked.code === 0) return {};
  console.log('PyPI is not available here: a stand-in replaces the package aws-lambda-powertools');
  const index = join(folder, 'index');
  await mkdir(index);
  const info = 'aws_lambda_powertools-3.0.0.dist-info';
  const wheel = zipOf({
    'aws_lambda_powertools/__init__.py': await readFile(join(SERVICE, 'stand_in.py')),
    [`${info}/METADATA`]: 'Metadata-Version: 2.1\nName: aws-lambda-powertools\nVersion: 3.0.0\nProvides-Extra: all\n',
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: e2e\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/RECORD`]: '',
  });
  await writeFile(join(index, 'aws_lambda_powertools-3.0.0-py3-none-any.whl'), wheel);
  return { PIP_NO_INDEX: '1', PIP_FIND_LINKS: index };
}

describe.skipIf(missing !== undefined)(`a public layer${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let emu: Emu;
  beforeAll(async () => {
    emu = await startEmu({ env: { EMULATOR_LAMBDA_BACKEND: 'process' } });
  });
  afterAll(() => emu?.kill());
  const cli = awsCli(() => emu.url);

  test('Powertools works in a deployed Python function once it is imported', { timeout: 5 * MINUTES }, async () => {
    using directory = temporaryDirectory();
    const { path } = directory;
    await cp(SERVICE, path, { recursive: true });
    await cli.answer('s3api', 'create-bucket', '--bucket', 'packages');
    const packaged = join(path, 'packaged.yaml');
    const deploy = async (): Promise<void> => {
      const template = ['--template-file', join(path, 'template.yaml'), '--output-template-file', packaged];
      const uploaded = await cli.run('cloudformation', 'package', ...template, '--s3-bucket', 'packages');
      expect(uploaded, uploaded.stderr).toMatchObject({ code: 0 });
      const capabilities = ['--capabilities', 'CAPABILITY_IAM', 'CAPABILITY_AUTO_EXPAND'];
      const named = ['--template-file', packaged, '--stack-name', 'orders', '--region', 'us-east-1'];
      await cli.succeed('cloudformation', 'deploy', ...named, ...capabilities);
    };
    await deploy();
    expect(emu.output()).toContain(
      `function orders runs without the content of ${ARN}: import it with emu layer add <arn>`,
    );
    const { Stacks } = await cli.answer('cloudformation', 'describe-stacks', '--stack-name', 'orders');
    const [{ Outputs }] = Stacks as [{ Outputs: { OutputKey: string; OutputValue: string }[] }];
    const url = Outputs.find(({ OutputKey }) => OutputKey === 'Url')!.OutputValue;
    const order = (): Promise<Response> => fetch(`${url}/orders/7`);
    expect((await order()).status).toBe(500);

    const variables = { ...(await registry(path)), EMULATOR_ADDR: new URL(emu.url).host, AWS_ENDPOINT_URL: undefined };
    const added = await run(process.execPath, [join(ROOT, 'apps/cli/bin/emu.js'), 'layer', 'add', ARN], {
      env: variables,
    });
    expect(added, added.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(`${ARN} is imported`) });
    const { Configuration } = await cli.answer('lambda', 'get-function', '--function-name', 'orders');
    expect(Configuration).toMatchObject({ Layers: [{ Arn: ARN, CodeSize: expect.any(Number) }] });
    const answer = await order();
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 200,
      body: { id: '7', state: 'new' },
    });
    const messages = async (): Promise<string> =>
      cli.succeed(
        'logs',
        'filter-log-events',
        '--log-group-name',
        '/aws/lambda/orders',
        '--filter-pattern',
        '"order found"',
      );
    await expect.poll(messages, { timeout: 20_000 }).toMatch(/\\"service\\": ?\\"orders\\"/);

    const code = join(path, 'orders', 'app.py');
    await writeFile(code, (await readFile(code, 'utf8')).replace('"new"', '"sent"'));
    await deploy();
    expect(await (await order()).json()).toEqual({ id: '7', state: 'sent' });

    await cli.succeed('cloudformation', 'delete-stack', '--stack-name', 'orders');
    await cli.succeed('cloudformation', 'wait', 'stack-delete-complete', '--stack-name', 'orders');
    expect(await cli.answer('lambda', 'list-functions')).toEqual({ Functions: [] });
  });
});
