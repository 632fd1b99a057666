import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from './docs.ts';
import { run } from './programs.ts';

/** Path of a program that the shell finds, or undefined. */
export async function programPath(name: string): Promise<string | undefined> {
  const { code, stdout } = await run('sh', ['-c', `command -v ${name}`]);
  return code === 0 ? stdout.trim() : undefined;
}

/**
 * Makes a folder of commands as the pages mean them, and returns the `PATH` that finds them first:
 * `emu` is the one of this repository; `curl` fails where the answer is an error; version 1 of `aws` is given
 * `--endpoint-url`, because it overlooks `AWS_ENDPOINT_URL` for SQS, as the pages say.
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
