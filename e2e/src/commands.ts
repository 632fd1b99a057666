import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from './docs.ts';
import { run } from './programs.ts';

/** Returns the path of a program in PATH, or undefined. */
export async function programPath(name: string): Promise<string | undefined> {
  const { code, stdout } = await run('sh', ['-c', `command -v ${name}`]);
  return code === 0 ? stdout.trim() : undefined;
}

/**
 * Creates a directory of commands as the docs use them, and returns a `PATH` with it first: `emu` from this repository;
 * `curl` that fails for an error response; version 1 of `aws` with `--endpoint-url`, because it ignores
 * `AWS_ENDPOINT_URL` for SQS, as the docs say.
 */
export async function commandPath(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const command = (name: string, line: string): void => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\nexec ${line} "$@"\n`);
    chmodSync(path, 0o755);
  };
  command('emu', `'${process.execPath}' '${join(ROOT, 'apps/cli/bin/emu.js')}'`);
  const curl = await programPath('curl');
  if (curl !== undefined) command('curl', `'${curl}' --fail --silent --show-error`);
  const aws = await programPath('aws');
  if (aws !== undefined) {
    const { stdout, stderr } = await run(aws, ['--version']);
    const old = /aws-cli\/1\./.test(stdout + stderr);
    command('aws', old ? `'${aws}' --endpoint-url "$AWS_ENDPOINT_URL"` : `'${aws}'`);
  }
  return [folder, process.env.PATH].join(delimiter);
}
