import type { Visit } from '../pipeline/visit.ts';

/** What answers by path alone, before any service is asked. */
export type Plane = 'health' | 'control' | 'metadata';

/** The part of a visit by which planes are told. */
type Route = Pick<Visit, 'path' | 'query' | 'request'>;

/** Whether a target may be one of these planes: two characters tell almost every other request apart from them. */
export function mayBePlane(target: string): boolean {
  const second = target.charCodeAt(1);
  return (second === 95 || second === 108) && target.charCodeAt(0) === 47;
}

/** Which plane a request belongs to. Signed requests are never for the metadata service: a bucket may be named `latest`. */
export function planeOf({ path, query, request }: Route): Plane | undefined {
  // Two characters tell almost every request apart from these.
  const second = path.charCodeAt(1);
  if (second === 95) {
    if (path === HEALTH && request.method === 'GET') return 'health';
    if (path.startsWith('/_emulator/') || path === '/_emulator' || path === '/_reset') return 'control';
    if (path.startsWith('/_localstack/')) return 'control';
    if (path === '/_aws/ses' || path === SQS_MESSAGES || path.startsWith(`${SQS_MESSAGES}/`)) return 'control';
  } else if (second === 108 && (path.startsWith('/latest/') || path === '/latest')) {
    if (request.headers.authorization === undefined && !query.includes('X-Amz-')) return 'metadata';
  }
  return undefined;
}

/** Where LocalStack shows messages of queues. */
const SQS_MESSAGES = '/_aws/sqs/messages';

/** Path of the health route. */
export const HEALTH = '/_emulator/health';
