import { ChildProcess } from 'node:child_process';
import { Socket as DatagramSocket } from 'node:dgram';
import { Socket } from 'node:net';

/**
 * Prevents this process from starting programs and from connecting to any server until it ends: a recording of somebody else
 * can contain code of functions, and addresses to which emu delivers.
 */
export function sealProcess(): void {
  const refuse = (what: string) => (): never => {
    throw new Error(`emu replay ${what}; with --trust it does`);
  };
  const programs = refuse('starts no programs');
  const connections = refuse('connects to no server');
  Object.assign(ChildProcess.prototype, { spawn: programs });
  Object.assign(Socket.prototype, { connect: connections });
  Object.assign(DatagramSocket.prototype, { send: connections, connect: connections });
}
