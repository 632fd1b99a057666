import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emu, startEmu } from '../src/emu.ts';
import { canRun, clientEnvironment, run } from '../src/programs.ts';

const available = canRun('python3', '-c', 'import boto3');
const folder = fileURLToPath(new URL('../python/', import.meta.url));
const scripts = readdirSync(folder).filter((name) => name.endsWith('.py'));

describe.skipIf(!available)(`boto3${available ? '' : ' (skipped: python3 cannot import it here)'}`, () => {
  let emu: Emu;
  beforeAll(async () => {
    emu = await startEmu();
  });
  afterAll(() => emu?.kill());

  test.each(scripts)('%s', { timeout: 120_000 }, async (script) => {
    const env = { ...clientEnvironment(emu.url), PYTHONDONTWRITEBYTECODE: '1' };
    const { code, stdout, stderr } = await run('python3', [script], { cwd: folder, env });
    expect(stderr).toBe('');
    expect(stdout.trim()).toBe('ok');
    expect(code).toBe(0);
  });
});
