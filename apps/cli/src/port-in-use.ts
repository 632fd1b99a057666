import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ListenAddress } from '@emu/core';
import { urlOf } from './address.ts';
import { health } from './control.ts';

/** A process that listens on a port. */
interface Owner {
  pid: string;
  name: string;
}

/** Returns one or two sentences: which process uses the address, and how to choose another. */
export async function explain(address: ListenAddress): Promise<string> {
  const { port } = address;
  const [running, owner] = await Promise.all([health(urlOf(address)).catch(() => undefined), ownerOf(port)]);
  const by = owner ? ` by process ${owner.pid} (${owner.name})` : '';
  const who = running
    ? `Another emu (${running.version}) already runs on ${urlOf(address)}${by}.`
    : `Port ${port} is already in use${by}.`;
  const other = port < 65_535 ? port + 1 : port - 1;
  return `${who} Choose another with --addr ${address.host}:${other} (EMULATOR_ADDR); port 0 selects a free one.`;
}

async function ownerOf(port: number): Promise<Owner | undefined> {
  try {
    return process.platform === 'linux' ? await ownerOnLinux(port) : await ownerByLsof(port);
  } catch {
    // Optional information: for other users' processes or without tools the owner is unknown.
    return undefined;
  }
}

const LISTENING = '0A';

/** Finds the listening socket in /proc/net and its process. */
async function ownerOnLinux(port: number): Promise<Owner | undefined> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of (await readFile(table, 'utf8').catch(() => '')).split('\n')) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(`:${hexPort}`) && fields[3] === LISTENING) sockets.add(`socket:[${fields[9]}]`);
    }
  if (!sockets.size) return undefined;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => []))
      if (sockets.has(await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
        return { pid, name: (await readFile(`/proc/${pid}/comm`, 'utf8')).trim() };
  return undefined;
}

async function ownerByLsof(port: number): Promise<Owner | undefined> {
  const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'];
  const { stdout } = await promisify(execFile)('lsof', args, { timeout: 1000 });
  const pid = /^p(\d+)$/m.exec(stdout)?.[1];
  const name = /^c(.+)$/m.exec(stdout)?.[1];
  return pid && name ? { pid, name } : undefined;
}
