import { once } from 'node:events';
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFileError } from '../storage/file-system.ts';

/** Bytes of the longest path that every system takes as a socket's address. */
const LONGEST_ADDRESS = 100;
/** Milliseconds that the answer of a listening process is waited for. */
const PATIENCE = 2000;

/** A socket of this process that listens in a directory. */
export interface LockSocket {
  /** Stops listening and removes the socket. */
  close(): Promise<void>;
}

/** Whether a process listens at a socket, and what it answers: undefined where it does not in time. */
export type SocketAnswer = { listening: false } | { listening: true; text: string | undefined };

/**
 * Listens at a socket in a directory, which ends with the process however that ends. Whoever connects is answered a text.
 * The process is not kept running by it.
 * @returns undefined where the file system has no sockets
 */
export async function listenIn(directory: string, name: string, answer: () => string): Promise<LockSocket | undefined> {
  const server = createServer((socket) => {
    // Who has asked and left before the answer needs none.
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
    // Network and other mounted file systems refuse with many codes; what else may be wrong, the lock file meets too.
    await remove();
    return undefined;
  }
  const close = async (): Promise<void> => {
    await closed(server);
    await remove();
  };
  // Some file systems make the socket but connect nobody with it.
  if ((await ask(directory, name)).listening) return { close };
  await close();
  return undefined;
}

/** Asks the process that listens at a socket. */
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
        const timeout = setTimeout(() => done({ listening: true, text: undefined }), PATIENCE);
        socket.setEncoding('utf8');
        socket.on('connect', () => {
          connected = true;
        });
        socket.on('data', (chunk: string) => {
          text += chunk;
        });
        socket.on('end', () => done({ listening: true, text }));
        socket.on('error', (error) => {
          // Any other error, as of missing permission or a full queue, means that somebody is there.
          const absent = !connected && isFileError(error, 'ECONNREFUSED', 'ENOENT', 'ENOTSOCK');
          done(absent ? { listening: false } : { listening: true, text: undefined });
        });
      }),
  );
}

/** Runs `action` with an address of a socket that is short enough, by way of a link where its path is not. */
async function withAddress<T>(directory: string, name: string, action: (address: string) => Promise<T>): Promise<T> {
  const path = join(directory, name);
  if (Buffer.byteLength(path) <= LONGEST_ADDRESS) return action(path);
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
