import { EXEC_LIMIT, EXEC_TIMEOUT, type ExecOptions, type ExecResult, TailBuffer } from '@emu/core/service';
import type { V1Status } from '@kubernetes/client-node';
import type { WebSocket } from 'ws';
import { CHANNEL, openChannels, sendInput } from './channels.ts';
import type { Cluster } from './cluster.ts';

/**
 * Runs a command in a Pod's main container.
 * @throws Error if it cannot be started or takes longer than a minute
 */
export async function runInPod(
  cluster: Cluster,
  pod: string,
  command: readonly string[],
  options: ExecOptions,
): Promise<ExecResult> {
  const { limit = EXEC_LIMIT } = options;
  const input = Buffer.from(options.input ?? '');
  const [stdout, stderr] = [new TailBuffer(limit), new TailBuffer(limit)];
  const words = wrapped(command, options, input.length).map((word) => ['command', word] as const);
  const streams = ['stdout', 'stderr', ...(input.length > 0 ? ['stdin'] : [])].map((name) => [name, 'true'] as const);
  let socket: WebSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    const status = await new Promise<V1Status>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${command[0]} takes too long`)), EXEC_TIMEOUT);
      openChannels(cluster, pod, { action: 'exec', query: [...words, ...streams] }, (channel, payload) => {
        if (channel === CHANNEL.stdout) stdout.add(payload);
        else if (channel === CHANNEL.stderr) stderr.add(payload);
        else if (channel === CHANNEL.status) resolve(statusOf(payload));
      })
        .then((opened) => {
          socket = opened;
          opened.once('close', () => reject(new Error('the connection to the Pod ended')));
          return input.length > 0 ? sendInput(opened, input) : undefined;
        })
        .catch(reject);
    });
    return { code: codeOf(command, status), stdout: stdout.bytes(), stderr: stderr.bytes() };
  } finally {
    clearTimeout(timer);
    socket?.terminate();
  }
}

/** Returns a shell command that sets variables and directory, and that ends the input, none of which Pods support. */
function wrapped(command: readonly string[], options: ExecOptions, inputLength: number): string[] {
  const { environment = {}, workingDirectory } = options;
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  let words = [...command];
  if (variables.length > 0) words = ['env', ...variables, ...words];
  if (workingDirectory !== undefined) words = ['/bin/sh', '-c', 'cd "$0" && exec "$@"', workingDirectory, ...words];
  if (inputLength > 0) words = ['/bin/sh', '-c', 'head -c "$0" | "$@"', String(inputLength), ...words];
  return words;
}

function statusOf(payload: Buffer): V1Status {
  try {
    return JSON.parse(payload.toString()) as V1Status;
  } catch {
    // Plain text of an old API.
    return { status: 'Failure', message: payload.toString() };
  }
}

function codeOf(command: readonly string[], { status, message, details }: V1Status): number {
  if (status === 'Success') return 0;
  const code = details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  if (code === undefined) throw new Error(`${command[0]} cannot be started: ${message ?? 'no reason is given'}`);
  return Number(code);
}
