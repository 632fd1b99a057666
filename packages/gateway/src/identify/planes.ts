import type { ServiceManifest } from '@emu/core/service';
import type { LocatedRequest } from '../request/visit.ts';

/** A part of the emulator that responds by path alone, before services. */
export type Plane = 'health' | 'control' | 'metadata';

/** Path of the health route. */
export const HEALTH = '/_emulator/health';

/** Whether a target may belong to a plane. Its first two characters rule out almost every other request. */
export function mayBePlane(target: string): boolean {
  const second = target.charCodeAt(1);
  return (second === 95 || second === 108) && target.charCodeAt(0) === 47;
}

/** Recognises requests for the emulator itself by their paths. */
export class Planes {
  /** Paths of control routes outside of `/_emulator/`, declared by manifests. */
  private readonly outside: readonly string[];

  constructor(manifests: readonly ServiceManifest[]) {
    const declared = manifests.flatMap(({ controlPaths = [] }) => controlPaths);
    this.outside = declared.filter((path) => !path.startsWith('/_emulator/'));
  }

  /**
   * Returns the plane of a request; undefined for one of a service. Signed requests never belong to the metadata service,
   * because a bucket may have the name `latest`.
   */
  planeOf({ path, query, request }: LocatedRequest): Plane | undefined {
    // The second character rules out almost every other path.
    const second = path.charCodeAt(1);
    if (second === 95) {
      if (path === HEALTH && request.method === 'GET') return 'health';
      if (path.startsWith('/_emulator/') || path === '/_emulator' || path === '/_reset') return 'control';
      if (path.startsWith('/_localstack/') || this.outside.some((declared) => covers(declared, path))) return 'control';
    } else if (second === 108 && (path.startsWith('/latest/') || path === '/latest')) {
      if (request.headers.authorization === undefined && !query.includes('X-Amz-')) return 'metadata';
    }
    return undefined;
  }
}

/** Whether a path is that of a control route of a service. */
export function ownsControlPath({ name, controlPaths }: ServiceManifest, path: string): boolean {
  return controlPaths?.some((declared) => covers(declared, path)) ?? path.startsWith(`/_emulator/${name}/`);
}

const covers = (declared: string, path: string): boolean =>
  declared.endsWith('/') ? path.startsWith(declared) : path === declared;
