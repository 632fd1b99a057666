import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emu } from './cli.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'emu-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const write = (text: string, name = 'emu.toml'): void => writeFileSync(join(cwd, name), text);
const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => emu(args, env, { cwd }).finished;

describe('emu.toml', () => {
  test('accepts settings by flag or variable name, which flags and variables override', async () => {
    write(
      'addr = "127.0.0.1:5001"\nregion = "eu-west-1"\nEMULATOR_RECORD_BYTES = 1000\nallow-origin = ["https://a.example"]\n',
    );
    expect((await run(['env'])).stdout).toContain("AWS_ENDPOINT_URL='http://127.0.0.1:5001'");
    expect((await run(['env'])).stdout).toContain("AWS_REGION='eu-west-1'");
    expect((await run(['env'], { EMULATOR_REGION: 'eu-west-2' })).stdout).toContain("AWS_REGION='eu-west-2'");
    expect((await run(['env', '--region', 'eu-west-3'])).stdout).toContain("AWS_REGION='eu-west-3'");
    write('region = "sa-east-1"', 'other.toml');
    expect((await run(['env'], { EMULATOR_CONFIG: 'other.toml' })).stdout).toContain("AWS_REGION='sa-east-1'");
  });

  test('applies to emu started in its directory', async () => {
    write('addr = "127.0.0.1:0"\naccount-id = "000000000001"\nverify-sigv4 = false\n');
    const running = emu([], {}, { cwd });
    const [, url] = await running.waitFor(/ready on (\S+)/);
    const answer = await fetch(`${url}/?Action=GetCallerIdentity&Version=2011-06-15`, {
      headers: {
        authorization:
          'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/sts/aws4_request, SignedHeaders=host, Signature=0',
      },
    });
    expect(await answer.text()).toContain('<Account>000000000001</Account>');
    running.child.kill('SIGKILL');
    await running.finished;
  });

  test.each([
    ['adr = "x"', 'emu: emu.toml: adr is not a setting of emu; did you mean addr?'],
    ['region = "moon"', 'emu: emu.toml: region must be the name of a region, such as eu-central-1, not "moon".'],
    ['addr = { host = "x" }', 'emu: emu.toml: addr must be a string, a number, true or false, or a list of strings.'],
    ['addr = ', 'emu: emu.toml cannot be read: '],
  ])('rejects %s', async (text, message) => {
    write(text);
    const { code, stderr } = await run(['--addr', '127.0.0.1:0']);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test('must exist if named', async () => {
    const { code, stderr } = await run(['env'], { EMULATOR_CONFIG: 'missing.toml' });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('missing.toml cannot be read: ENOENT'),
    });
  });

  test('is written by emu init, once, with every setting in a comment', async () => {
    expect(await run(['init'])).toMatchObject({ code: 0, stdout: expect.stringContaining('emu.toml was written') });
    const text = readFileSync(join(cwd, 'emu.toml'), 'utf8');
    expect(text).toContain('# addr = "0.0.0.0:4566"\n');
    expect(text).toContain('# init = []\n');
    expect((await run(['init'])).stderr).toBe('emu: emu.toml already exists here.\n');
    // Each is valid by itself, except those that depend on others.
    writeFileSync(join(cwd, 'emu.toml'), text.replaceAll(/^# (?!smtp-addr|dns)([a-z0-9-]+ = )/gm, '$1'));
    expect((await run(['env'])).stdout).toContain("AWS_REGION='us-east-1'");
  });
});
