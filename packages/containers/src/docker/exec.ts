import type { Socket } from 'node:net';
import { EXEC_LIMIT, EXEC_TIMEOUT, type ExecOptions, type ExecResult, TailBuffer } from '@emu/core/service';
import type Docker from 'dockerode';
import type { Engine } from './engine.ts';
import { engineWords } from './errors.ts';
import { FrameReader } from './frames.ts';

/** Messages of a runtime that could not start a command. */
const NOT_STARTED = /OCI runtime|exec failed|executable file|not found in \$PATH/i;

/**
 * Runs a command in a container.
 * @throws Error if it cannot be started or takes longer than a minute
 */
export async function runCommand(
  { podman }: Engine,
  container: Docker.Container,
  command: readonly string[],
  { environment = {}, workingDirectory, input = '', limit = EXEC_LIMIT }: ExecOptions,
): Promise<ExecResult> {
  const exec = await container.exec({
    Cmd: [...command],
    Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    ...(workingDirectory !== undefined && { WorkingDir: workingDirectory }),
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
  });
  const [stdout, stderr] = [new TailBuffer(limit), new TailBuffer(limit)];
  let stream: Socket;
  try {
    stream = (await exec.start({ hijack: true, stdin: true })) as unknown as Socket;
  } catch (error) {
    throw new Error(`${command[0]} cannot be started: ${engineWords(error)}`, { cause: error });
  }
  const frames = new FrameReader((chunk, name) => (name === 'stderr' ? stderr : stdout).add(chunk));
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${command[0]} takes too long`)), EXEC_TIMEOUT);
      stream.on('data', (chunk: Buffer) => frames.push(chunk));
      stream.once('end', () => resolve());
      stream.once('close', () => resolve());
      stream.once('error', reject);
      stream.end(input);
    });
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
  const code = await exitCode(exec);
  const printed = `${stdout.bytes().toString()}${stderr.bytes().toString()}`;
  if ((code === 126 || code === 127 || (podman && code < 0)) && NOT_STARTED.test(printed))
    throw new Error(`${command[0]} cannot be started: ${printed.trim()}`);
  return { code, stdout: stdout.bytes(), stderr: stderr.bytes() };
}

/** Returns the exit code of a command. The stream ends shortly before the engine has it. */
async function exitCode(exec: Docker.Exec): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { ExitCode, Running } = await exec.inspect();
    if (!Running && ExitCode !== null) return ExitCode;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the engine does not report how the command ended');
}
