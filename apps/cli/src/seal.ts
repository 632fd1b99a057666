import { ChildProcess } from 'node:child_process';
import { Socket as DatagramSocket } from 'node:dgram';
import { Socket } from 'node:net';

/**
 * Prevents this process from starting programs and from connecting to any server: a recording of somebody else can contain
 * code of functions, and addresses to which emu delivers.
 * @returns a function that removes the seal
 */
export function sealProcess(): () => void {
  const refuse = (what: string) => (): never => {
    throw new Error(`emu replay ${what}; with --trust it does`);
  };
  const programs = refuse('starts no programs');
  const connections = refuse('connects to no server');
  const seals: readonly (readonly [prototype: object, name: string, seal: () => never])[] = [
    [ChildProcess.prototype, 'spawn', programs],
    [Socket.prototype, 'connect', connections],
    [DatagramSocket.prototype, 'send', connections],
    [DatagramSocket.prototype, 'connect', connections],
  ];
  const undo = seals.map(([prototype, name, seal]) => {
    const own = Reflect.get(prototype, name) as unknown;
    Reflect.set(prototype, name, seal);
    return () => Reflect.set(prototype, name, own);
  });
  return () => {
    for (const restore of undo) restore();
  };
}
