import { once } from 'node:events';
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exceedsBytes } from '../base/exceeds-bytes.ts';
import { isFileError } from '../storage/file-system.ts';

/** Bytes of the longest socket address that every system supports. */
const LONGEST_ADDRESS = 100;
/** Timeout for the response of a listening process, in milliseconds. */
const ANSWER_TIMEOUT = 2000;

/** A listening socket of this process in a directory. */
export interface LockSocket {
  /** Stops listening and removes the socket. */
  close(): Promise<void>;
}

/** Whether a process listens on a socket, and its response; undefined after the timeout. */
export type SocketAnswer = { listening: false } | { listening: true; text: string | undefined };

/**
 * Listens on a socket in a directory; the socket ends with the process, even after a crash. Each connection receives a
 * text. The socket does not keep the process running.
 * @returns undefined if the file system does not support sockets
 */
export async function listenIn(directory: string, name: string, answer: () => string): Promise<LockSocket | undefined> {
  const server = createServer((socket) => {
    // A client may disconnect before the response.
    socket.on('error', () => undefined);
    socket.end(answer());
  });
  server.unref();
  const remove = (): Promise<void> => rm(join(directory, name), { force: true });
  try {
    await withAddress(directory, name, async (address) => {
      server.listen(address);
      await once(server, 'listening');
      await chmod(address, 0o600);
    });
  } catch {
    if (server.listening) await closed(server);
    // Network file systems and others fail with many codes; any other problem affects the lock file as well.
    await remove();
    return undefined;
  }
  const close = async (): Promise<void> => {
    await closed(server);
    await remove();
  };
  // Some file systems create the socket but cannot connect to it.
  if ((await ask(directory, name)).listening) return { close };
  await close();
  return undefined;
}

/** Reads the response of the process that listens on a socket. */
export function ask(directory: string, name: string): Promise<SocketAnswer> {
  return withAddress(
    directory,
    name,
    (address) =>
      new Promise((resolve) => {
        const socket = createConnection(address);
        let text = '';
        let connected = false;
        const done = (answer: SocketAnswer): void => {
          clearTimeout(timeout);
          socket.destroy();
          resolve(answer);
        };
        const timeout = setTimeout(() => done({ listening: true, text: undefined }), ANSWER_TIMEOUT);
        socket.setEncoding('utf8');
        socket.on('connect', () => {
          connected = true;
        });
        socket.on('data', (chunk: string) => {
          text += chunk;
        });
        socket.on('end', () => done({ listening: true, text }));
        socket.on('error', (error) => {
          // Any other error, such as a missing permission or a full queue, means that a process listens.
          const absent = !connected && isFileError(error, 'ECONNREFUSED', 'ENOENT', 'ENOTSOCK');
          done(absent ? { listening: false } : { listening: true, text: undefined });
        });
      }),
  );
}

/** Runs `action` with a socket address that is short enough; uses a link if its path is too long. */
async function withAddress<T>(directory: string, name: string, action: (address: string) => Promise<T>): Promise<T> {
  const path = join(directory, name);
  if (!exceedsBytes(path, LONGEST_ADDRESS)) return action(path);
  const short = await mkdtemp(join(tmpdir(), 'emu-'));
  try {
    await symlink(directory, join(short, 'd'));
    return await action(join(short, 'd', name));
  } finally {
    await rm(short, { recursive: true, force: true });
  }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
